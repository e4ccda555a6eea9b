/**
 * Fastify's routes: those of the process and its page, which carry no cross-origin header, and the search for the targets
 * that only a router recognizes.
 */
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { FoodCatalog } from '../catalog.ts';
import type { Operations } from '../operations/operations.ts';
import { FOOD_PATH } from '../operations/outcomes.ts';
import { addRoutes } from './api-document.ts';
import type { FoodRoute } from './food-route.ts';
import { FOOD_SCHEMAS } from './food-schema.ts';
import { JSON_TYPE } from './headers.ts';

/** The search for targets such as `http://host/api/food` or `/api/%66ood`. */
export function foodRoutes(app: FastifyInstance, foodRoute: FoodRoute): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  addRoutes(app, FOOD_PATH, FOOD_SCHEMAS, {
    helmet: false,
    onRequest: async (_request, reply) => {
      reply.hijack();
      foodRoute.handle(reply.raw);
    },
  });
}

/** `GET /data-set`: the data set as the web client shows it. */
export function dataSetRoute(app: FastifyInstance, catalog: FoodCatalog): void {
  app.get('/data-set', async (_request, reply) => {
    const { name, date, source, licence, foods, identity } = catalog.dataSet;
    const body = JSON.stringify({ name, date, source, licence, foods, identity });
    return reply.header('cache-control', 'no-cache').type(JSON_TYPE).send(body);
  });
}

/**
 * `/health/live`, `/health/ready` and `/metrics`, only in this spelling: `/%6detrics` and `http://host/metrics` are not found, or
 * they would get past a proxy that hides the paths as written.
 */
export function operationsRoutes(operations: Operations) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async ({ originalUrl, routeOptions: { url } }, reply) => {
      if (originalUrl.split('?', 1)[0] !== url) return reply.callNotFound();
      reply.header('cache-control', 'no-store');
    });
    app.get('/health/live', async () => ({ live: true }));
    app.get('/health/ready', async (_request, reply) => {
      const readiness = operations.readiness();
      if (typeof readiness === 'string') return reply.code(503).send({ error: readiness });
      const { name, date, foods } = readiness;
      return { name, date, foods };
    });
    app.get('/metrics', async (_request, reply) =>
      reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await operations.report()),
    );
  };
}
