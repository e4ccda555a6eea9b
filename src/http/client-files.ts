/**
 * Serves the built web client at `/`.
 */
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { UserError } from '../errors.ts';

/** Where the build puts the client, seen from this file both in `src` and in `dist`. */
const CLIENT_FOLDER = fileURLToPath(new URL('../../dist/client/', import.meta.url));

/** The build names these files by their content: what is changed gets another name. */
const HASHED_FILES = `${CLIENT_FOLDER}assets${sep}`;

/** @throws UserError where the client is not built */
export async function clientFiles(app: FastifyInstance): Promise<void> {
  const isBuilt = await stat(CLIENT_FOLDER).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isBuilt)
    throw new UserError(
      'NODE_ENV: "production" serves the web client, which is not built. Run: npm run build',
    );
  await app.register(fastifyStatic, {
    root: CLIENT_FOLDER,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(HASHED_FILES);
      reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
