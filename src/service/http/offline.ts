/** What the page keeps to search a small data set by itself, with and without a network. */
import type { FastifyInstance } from 'fastify';
import { type FoodCatalog, furtherLanguage, type OtherNames } from '#core';
import { type Coding, compressed, sendCopy } from './coding.ts';
import { JSON_TYPE } from './responses.ts';

const copyOf = async (file: Uint8Array, coding: Coding): Promise<Uint8Array> =>
  coding === 'identity' ? file : compressed(file, coding, 'file');

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
  app.get<{ Querystring: { lang?: unknown } }>('/foods.idx', async (request, reply) => {
    const { foods, identity } = catalog.dataSet;
    const file = foods > offlineFoods ? undefined : catalog.indexFile?.bind(catalog);
    if (file === undefined) return reply.callNotFound();
    // With the names in one language, or a phone would load them all.
    const { lang } = request.query;
    const own = catalog.dataSet.language ?? 'mul';
    const language = typeof lang === 'string' ? (furtherLanguage(catalog.dataSet, lang) ?? own) : '';
    return sendCopy(request, reply, 'application/octet-stream', (coding) => {
      const key = `${coding}-${language}`;
      const body = () => {
        if (kept !== identity) copies.clear();
        kept = identity;
        const copy = copies.get(key) ?? copyOf(file(language), coding);
        copies.set(key, copy);
        // What failed is tried again.
        copy.catch(() => copies.delete(key));
        return copy;
      };
      return { etag: `"${identity}-${key}"`, body };
    });
  });
  app.get('/other-names.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type(JSON_TYPE).send(otherNames.json),
  );
}
