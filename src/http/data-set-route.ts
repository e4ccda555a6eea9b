/**
 * `GET /data-set`: what the web client tells of the data set. It is for the service's own page and carries no
 * cross-origin header, like every path but the search.
 */
import type { FastifyInstance } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import { JSON_TYPE } from './errors.ts';

export function dataSetRoute(catalog: FoodCatalog) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/data-set', async (_request, reply) => {
      const { name, date, source, licence, foods } = catalog.dataSet;
      const body = JSON.stringify({ name, date, source, licence, foods });
      return reply.header('cache-control', 'no-cache').type(JSON_TYPE).send(body);
    });
  };
}
