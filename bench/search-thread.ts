/** A worker thread: searches for the given number of ms, then posts the number of searches. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LoadedIndex } from '../src/catalogs/index/load-index.ts';
import { MemoryCatalog } from '../src/catalogs/index/memory.ts';

const { loaded, texts } = workerData as { loaded: LoadedIndex; texts: readonly string[] };
const catalog = new MemoryCatalog(loaded);
let next = Math.floor(Math.random() * texts.length);

parentPort?.on('message', (ms: number) => {
  const end = performance.now() + ms;
  let searches = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 20; i++) catalog.search(texts[next++ % texts.length] ?? '');
    searches += 20;
  }
  parentPort?.postMessage(searches);
});
