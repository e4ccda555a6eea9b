/**
 * What the process tells its operator: whether it lives, whether it is ready, and what it has counted.
 */
import type { FastifyInstance } from 'fastify';
import type { DataSet, FoodCatalog } from '../catalog.ts';
import { Metrics } from './metrics.ts';

export class Operations {
  readonly metrics = new Metrics();
  /** What is served; undefined until it is loaded. */
  catalog: FoodCatalog | undefined;
  isStopping = false;

  /** The data set where searches are answered, or why they are not, in one sentence. */
  readiness(): DataSet | string {
    if (this.isStopping) return 'The service is stopping.';
    if (this.catalog === undefined) return 'The data set is being loaded.';
    return this.catalog.unavailable?.() ?? this.catalog.dataSet;
  }
}

/** `/health/live`, `/health/ready` and `/metrics`, without cross-origin headers: they are not for pages. */
export function operationsRoutes(operations: Operations) {
  return async (app: FastifyInstance): Promise<void> => {
    const registry = operations.metrics.registry(operations);
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    app.get('/health/live', async () => ({ live: true }));
    app.get('/health/ready', async (_request, reply) => {
      const readiness = operations.readiness();
      if (typeof readiness === 'string') return reply.code(503).send({ error: readiness });
      const { name, date, foods } = readiness;
      return { name, date, foods };
    });
    app.get('/metrics', async (_request, reply) =>
      reply.type(registry.contentType).send(await registry.metrics()),
    );
  };
}
