/** A thread of the page: it answers requests to the service by the index of the data set, if the service offers it. */
import type { NamePair } from '#core';
import { type LocalAnswer, LocalAnswers } from '../../packages/browser/open-index.ts';

declare const self: DedicatedWorkerGlobalScope;

async function open(): Promise<LocalAnswers | undefined> {
  const get = (path: string) => fetch(path, { cache: 'no-cache' });
  // With the names in the language of the page, as its address says it.
  const [foods, names] = await Promise.all([
    get(`foods.idx${self.location.search}`),
    get('other-names.json'),
  ]);
  if (!foods.ok || !names.ok) return undefined;
  const pairs: readonly NamePair[] = await names.json();
  return new LocalAnswers(new Uint8Array(await foods.arrayBuffer()), pairs, undefined);
}

const opened = open().catch(() => undefined);

const answerTo = async (target: string): Promise<LocalAnswer | undefined> =>
  (await opened)?.answer(new URL(target, self.location.origin));

self.addEventListener('message', async ({ data }: MessageEvent<readonly [id: number, target: string]>) => {
  const [id, target] = data;
  self.postMessage([id, await answerTo(target).catch(() => undefined)]);
});
