/**
 * The one operation of the service: `GET /api/food?q=TEXT`. It adds nothing but headers to what the catalog
 * answers.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { errorBody, JSON_TYPE } from './errors.ts';

export const FOOD_PATH = '/api/food';

/** The longest request target that is searched for; more than any description has, and less than the header limit. */
const MAX_TARGET_LENGTH = 16 * 1024;

const MISSING_TEXT = errorBody('Missing required parameter `q`');
const METHODS = 'GET, HEAD, OPTIONS';

/** Adds the route to an instance of its own, so that its hooks concern no other path. */
export function foodRoute(catalog: FoodCatalog, crossOrigin: CrossOrigin) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      crossOrigin.apply(request, reply);
      // Answered here, before Fastify would read (and could refuse) the body of a method that is refused anyway.
      return refuse(request, reply, crossOrigin);
    });
    app.route({
      url: FOOD_PATH,
      method: app.supportedMethods.filter((method) => method !== 'HEAD'),
      handler: async (request: FastifyRequest<{ Querystring: URLSearchParams }>, reply) => {
        const text = request.query.get('q') ?? '';
        return reply.type(JSON_TYPE).send(text === '' ? MISSING_TEXT : await catalog.search(text));
      },
    });
  };
}

/** Answers what is not a search; undefined where it is one. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  crossOrigin: CrossOrigin,
): FastifyReply | undefined {
  if (request.method === 'OPTIONS') return crossOrigin.preflight(request, reply.header('allow', METHODS));
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = `Method ${request.method} is not allowed here. Use GET ${FOOD_PATH}?q=TEXT.`;
    return reply.code(405).header('allow', METHODS).type(JSON_TYPE).send(errorBody(message));
  }
  if (request.url.length > MAX_TARGET_LENGTH) {
    const message = `The address is too long: ${request.url.length} characters, at most ${MAX_TARGET_LENGTH} are read.`;
    return reply.code(414).type(JSON_TYPE).send(errorBody(message));
  }
  return undefined;
}
