/**
 * Serves the files that the build made of the web client and of the documents of the API, with their compressed copies.
 */
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { UserError } from '../system/errors.ts';
import { codingFor } from './food-request.ts';
import { STATIC_PAGE } from './headers.ts';

/** Where the build puts the client, seen from this file both in `src` and in `dist`. */
const CLIENT_FOLDER = fileURLToPath(new URL('../../dist/client/', import.meta.url));

/** The build names these files by a hash of their content, so a changed file has another name. */
const HASHED_FILES = `${CLIENT_FOLDER}assets${sep}`;

/** What is served even without the page at `/`. */
const DOCUMENTS = /^\/?(?:docs\.html|openapi\.json|assets\/[\w.-]+)$/;

const isBuilt = (): Promise<boolean> =>
  stat(`${CLIENT_FOLDER}index.html`).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Why there is no page at `/`, in one sentence; undefined if there is one.
 * @throws UserError in production if the client is not built, because nobody would read the sentence there
 */
export async function reasonForNoClient(nodeEnv: string | undefined): Promise<string | undefined> {
  if (nodeEnv === 'development') return 'NODE_ENV=development: the web client is not served.';
  if (await isBuilt()) return undefined;
  if (nodeEnv === 'production')
    throw new UserError(
      'NODE_ENV: "production" serves the web client, which is not built. Run: npm run build',
    );
  return 'The web client is not built. To see it at /, run npm run build and start the service again.';
}

/** `/docs`, `/openapi.json`, and the page at `/` if it is served. */
export async function clientFiles(app: FastifyInstance, { hasPage }: { hasPage: boolean }): Promise<void> {
  if (!(await isBuilt())) return;
  // Codings are chosen as for answers. The library would read lists without a limit.
  app.addHook('onRequest', async ({ headers }) => {
    headers['accept-encoding'] = codingFor(headers['accept-encoding']) ?? 'identity';
  });
  await app.register(fastifyStatic, {
    root: CLIENT_FOLDER,
    cacheControl: false,
    preCompressed: true,
    // The copies have no address of their own.
    allowedPath: (path) => !/\.(?:br|gz)$/.test(path) && (hasPage || DOCUMENTS.test(path)),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(HASHED_FILES);
      reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.setHeader('vary', 'Accept-Encoding');
    },
  });
  app.get('/docs', { helmet: STATIC_PAGE }, async (_request, reply) => reply.sendFile('docs.html'));
  // Relative links in the page would lead to other addresses there.
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs'));
}
