/**
 * The documentation of the API: OpenAPI at `/openapi.json`, generated from the schemas of the routes, and a page to try it
 * at `/docs`. Routes without a tag are not documented.
 */
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { DOCS_PAGE } from './docs-page.ts';
import { COMPONENTS } from './food-schema.ts';
import { JSON_TYPE } from './headers.ts';
import { PORTION } from './portions-schema.ts';
import type { Schema } from './schema-parts.ts';

const DOCUMENT_PATH = '/openapi.json';

/** Must be called before the documented routes are added. */
export async function documentApi(app: FastifyInstance): Promise<void> {
  for (const schema of [...COMPONENTS, PORTION]) app.addSchema(schema);
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'food-lookup',
        // The version of the API. That of the software would disclose which vulnerabilities to try.
        version: '1.0.0',
        description:
          'Foods whose description contains a text, with their figures per 100 g. Examples are of the foods that ship with food-lookup; a service with other data answers with that. Every error is `{"error": "one sentence"}`; files and all other paths also answer 403, 404, 412, 413 and 416.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'this service' }],
      tags: [
        { name: 'search', description: 'Pages on other origins can read it if ALLOWED_ORIGIN allows them.' },
        {
          name: 'portions',
          description: "Read by the service's own page, and by no page on another origin.",
        },
      ],
    },
    hideUntagged: true,
    exposeHeadRoutes: false,
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  await app.register(fastifySwaggerUi, DOCS_PAGE);
  app.get(DOCUMENT_PATH, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type(JSON_TYPE).send(app.swagger()),
  );
}

/**
 * Adds a documented path with all methods. The schemas are documentation: every request is answered, so none is validated, and
 * `onRequest` answers it before Fastify reads the body.
 */
export function addRoutes(
  app: FastifyInstance,
  url: string,
  schemas: Readonly<Record<string, Schema>>,
  options: Pick<RouteOptions, 'onRequest' | 'helmet'>,
): void {
  for (const method of app.supportedMethods) {
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      config: { swagger: { exposeHeadRoute: true } },
      schema: schemas[method] ?? {},
      validatorCompiler: () => () => true,
      serializerCompiler: () => JSON.stringify,
      handler: () => {},
      ...options,
    });
  }
}
