/**
 * Measures threads that share an index: searches a second inside one process, with no client on the other core, and the memory
 * of the service. One and two threads alternate.
 */
import { once } from 'node:events';
import { cpuUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { LoadedIndex } from '../src/catalogs/index/load-index.ts';
import { loadIndex } from '../src/catalogs/index/shared-index.ts';
import { median, memoryOf } from './tools/measure.ts';
import { startService, stop } from './tools/process.ts';
import { textsOf } from './tools/workload.ts';
import { rateOf, requireWrk, script } from './tools/wrk.ts';

const WORKER = new URL('./search-thread.js', import.meta.url);
const PORT = 4710;
const ROUNDS = 7;
const MS = 2000;
const TEXTS = 200_000;
/** Rounds of requests before the memory is read. */
const WARM = 3;

export interface ThreadsFigures {
  readonly foods: number;
  /** Its version: the other parts may run on one that is too old for threads to share a port. */
  readonly node: string;
  /** Searches a second, medians: one thread with its own index, and two that share one. */
  readonly one: number;
  readonly two: number;
  /** Median of the rounds' ratios, by the clock. */
  readonly times: number;
  /** The same by processor time, which other programs do not affect. */
  readonly timesOfProcessor: number;
  /** Bytes of the service with one thread and with two, after the same requests; absent if this Node.js is too old. */
  readonly memory?: { readonly one: number; readonly two: number };
}

export async function measureThreads(
  index: string,
  descriptions: readonly string[],
): Promise<ThreadsFigures> {
  const texts = textsOf(descriptions, TEXTS);
  const shared = await loadIndex(index, true);
  const start = (loaded: LoadedIndex) => new Worker(WORKER, { workerData: { loaded, texts } });
  const own = [start(await loadIndex(index))];
  const both = [start(shared), start(shared)];
  const rounds: { one: number; two: number; timesOfProcessor: number }[] = [];
  // The first round lets V8 compile the code.
  for (let round = -1; round < ROUNDS; round++) {
    const [first, second] = [await searchesOf(own), await searchesOf(both)];
    const timesOfProcessor = (2 * first.cpu) / second.cpu;
    if (round >= 0) rounds.push({ one: first.rate, two: second.rate, timesOfProcessor });
  }
  await Promise.all([...own, ...both].map((worker) => worker.terminate()));
  const of = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  const memory = await memoryOfService(index, texts);
  return {
    foods: descriptions.length,
    node: process.version,
    one: of(({ one }) => one),
    two: of(({ two }) => two),
    times: of(({ one, two }) => two / one),
    timesOfProcessor: of((round) => round.timesOfProcessor),
    ...(memory && { memory }),
  };
}

/** The threads' total searches a second, and the processor time of a search. */
async function searchesOf(workers: readonly Worker[]): Promise<{ rate: number; cpu: number }> {
  const before = cpuUsage();
  const counts = workers.map(async (worker) => {
    worker.postMessage(MS);
    return Number((await once(worker, 'message'))[0]);
  });
  const searches = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  const { user, system } = cpuUsage(before);
  return { rate: (1000 * searches) / MS, cpu: (user + system) / searches };
}

async function memoryOfService(
  index: string,
  texts: readonly string[],
): Promise<ThreadsFigures['memory'] | undefined> {
  requireWrk();
  const file = script('threads', texts);
  const of = async (threads: number): Promise<number> => {
    const served = await startService(index, PORT, { THREADS: String(threads) });
    for (let i = 0; i < WARM; i++) rateOf(PORT, file);
    const memory = memoryOf(served.child.pid ?? 0, 'VmRSS');
    await stop(served);
    return memory;
  };
  const one = await of(1);
  const two = await of(2).catch(() => undefined);
  return two === undefined ? undefined : { one, two };
}
