/**
 * Checks that a crawler, which requests very many texts in turn, does not evict the cached answers to the texts that people
 * repeat. It only counts searches, so nothing depends on the machine.
 */

import { openCatalog } from '../../src/cli/open-catalog.ts';
import { startService } from '../../test/support/service.ts';
import { foodIndex, texts } from '../tools/data-sets.ts';
import { repeated } from '../tools/workload.ts';
import { requestFor } from './checked-requests.ts';
import { Client } from './client.ts';
import { bounded, type Figure } from './verdict.ts';

const LEAST = 0.9;

interface Load {
  /** Counted requests of people; as many precede them. */
  readonly requests: number;
  /** Distinct texts of the crawler. */
  readonly crawled: number;
  /** Bytes of the cache. */
  readonly answerCache: number;
}

const FULL: Load = { requests: 60_000, crawled: 60_000, answerCache: 32 * 1024 * 1024 };

/** Distinct texts that people repeat. */
const PEOPLE = 2000;

export async function crawler({ requests, crawled, answerCache }: Load = FULL): Promise<Figure[]> {
  const all = await texts(PEOPLE + crawled);
  const people = repeated(all, requests);
  const shareWith = (others: readonly string[]) => shareCached(people, others, answerCache);
  const alone = await shareWith([]);
  const beside = await shareWith(all.slice(PEOPLE));
  const kept = beside / alone;
  return [
    { what: 'share of repeated texts answered from the cache', value: alone.toFixed(3) },
    { what: 'the same while a crawler sends as many requests', value: beside.toFixed(3) },
    bounded('with the crawler, relative to without', kept, '≥', LEAST),
  ];
}

/** The share of people's requests that is answered without a search, while others request each of their texts in turn. */
async function shareCached(
  people: readonly string[],
  others: readonly string[],
  answerCache: number,
): Promise<number> {
  const catalog = await openCatalog(await foodIndex());
  const known = new Set(people);
  let searches = 0;
  const service = await startService(
    {
      dataSet: catalog.dataSet,
      search: (text) => {
        if (known.has(text)) searches++;
        return catalog.search(text);
      },
      close: () => catalog.close(),
    },
    { answerCache },
  );
  const client = await Client.open(service.port);
  let next = 0;
  const askAll = async (): Promise<void> => {
    for (const text of people) {
      await client.answerTo(requestFor(text));
      const other = others[next++ % others.length];
      if (other !== undefined) await client.answerTo(requestFor(other));
    }
  };
  await askAll();
  searches = 0;
  await askAll();
  client.close();
  await service.close();
  return 1 - searches / people.length;
}
