/** What the page keeps to search a small data set by itself, with and without a network. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type FoodCatalog, furtherLanguage, type OtherNames } from '#core';
import { type Coding, codingFor, tagsIn } from './food-request.ts';
import { JSON_TYPE } from './responses.ts';

/** Quality 9 takes 0.1 s for 1,077 foods, once; the best one ten times as long for a tenth fewer bytes. */
const COMPRESS: Readonly<Record<Coding, (file: Uint8Array) => Promise<Uint8Array>>> = {
  br: (file) =>
    promisify(brotliCompress)(file, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: file.length },
    }),
  gzip: (file) => promisify(gzip)(file, { level: constants.Z_BEST_COMPRESSION }),
  identity: async (file) => file,
};

interface Offline {
  readonly catalog: FoodCatalog;
  readonly otherNames: OtherNames;
  /** A larger data set has no index for browsers: it would take too much of a phone. */
  readonly offlineFoods: number;
}

/** `/foods.idx`, the index file of a small data set, and the names that it is searched by. */
export async function offlineRoutes(
  app: FastifyInstance,
  { catalog, otherNames, offlineFoods }: Offline,
): Promise<void> {
  /** Compressed copies of the data set with this identity. */
  let kept = '';
  const copies = new Map<string, Promise<Uint8Array>>();
  app.get<{ Querystring: { lang?: unknown } }>('/foods.idx', async ({ headers, query }, reply) => {
    const { foods, identity } = catalog.dataSet;
    if (catalog.indexFile === undefined || foods > offlineFoods) return reply.callNotFound();
    const coding = codingFor(headers['accept-encoding']);
    // With the names in no more than one further language, or a phone would load them all.
    const lang = typeof query.lang === 'string' ? query.lang : '';
    const language = furtherLanguage(catalog.dataSet, lang) ?? '';
    const key = `${coding}-${language}`;
    const etag = `"${identity}-${key}"`;
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    const known = tagsIn(headers['if-none-match'] ?? '');
    if (known.includes(etag) || known.includes('*')) return reply.code(304).send();
    if (kept !== identity) copies.clear();
    kept = identity;
    const copy = copies.get(key) ?? COMPRESS[coding](catalog.indexFile(language));
    copies.set(key, copy);
    // What failed is tried again.
    copy.catch(() => copies.delete(key));
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.type('application/octet-stream').send(await copy);
  });
  app.get('/other-names.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type(JSON_TYPE).send(otherNames.json),
  );
}
