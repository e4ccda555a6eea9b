/**
 * The threads of a service, as managed by the first, which loads the data set, gets the signals, and answers requests like the
 * others (`serving-thread.ts`). All listen on one port, and the system spreads connections over them.
 */
import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { UserError } from '#core';
import { isPostgresUrl } from '#postgres';
import type { LoadedIndex } from '../../catalogs/memory.ts';
import type { ProcessLimits } from '../../http/limits/process-limits.ts';
import type { Operations } from '../../operations/metrics.ts';
import type { Flags, Settings } from '../../settings/settings.ts';

/** The built file, as seen from here both in `src` and in `dist`. */
const THREAD = new URL('../../../../dist/service/cli/serving/serving-thread.js', import.meta.url);

const LEAST_NODE = '22.12';

export interface ThreadStart {
  readonly flags: Flags;
  /** Settings that differ from the flags and the environment. */
  readonly changed: Pick<Settings, 'port' | 'maxConnections' | 'answerCache'>;
  readonly loaded: LoadedIndex;
  readonly limits: ProcessLimits;
}

export type Order =
  | { readonly do: 'replace'; readonly loaded: LoadedIndex }
  | { readonly do: 'count'; readonly reply: MessagePort }
  | { readonly do: 'stop' };

export type Counted = MetricObjectWithValues<MetricValue<string>>[];

export function requireThreads({ threads, foodData = '' }: Settings): void {
  if (isPostgresUrl(foodData))
    throw new UserError(
      `THREADS: ${threads} cannot be used with a database: the database does the searching, so more threads would only wait. Use 1, and start several processes.`,
    );
  if (process.versions.node.localeCompare(LEAST_NODE, 'en', { numeric: true }) >= 0) return;
  throw new UserError(
    `THREADS: ${threads} cannot be used: threads share a port from Node.js ${LEAST_NODE} on, and this is ${process.versions.node}. Use a newer Node.js, or start several processes with 1 thread each.`,
  );
}

export class Threads {
  readonly #workers: Worker[] = [];
  readonly #ended: Promise<unknown>[] = [];
  readonly #operations: Operations;
  #isStopping = false;

  constructor(operations: Operations) {
    this.#operations = operations;
    operations.report = () => this.#report();
  }

  /** Resolves when all listen. An error in one of them ends the process. @param threads including the first */
  async start(threads: number, start: ThreadStart): Promise<void> {
    await Promise.all(Array.from({ length: threads - 1 }, () => this.#add(start)));
  }

  async #add(workerData: ThreadStart): Promise<void> {
    const worker = new Worker(THREAD, { workerData });
    this.#workers.push(worker);
    this.#ended.push(new Promise((resolve) => worker.once('exit', resolve)));
    // The first message: it listens.
    await once(worker, 'message');
    // An error that is unhandled there is not handled here either.
    worker.on('error', (error) => {
      throw error;
    });
    worker.on('exit', (code) => {
      if (!this.#isStopping) throw new Error(`a thread ended with exit code ${code}`);
    });
    // Any other: Prometheus requests the figures of all threads.
    worker.on('message', async (reply: MessagePort) => reply.postMessage(await this.#report()));
  }

  replace(loaded: LoadedIndex): void {
    this.#tell({ do: 'replace', loaded });
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    this.#tell({ do: 'stop' });
    await Promise.all(this.#ended);
  }

  #tell(order: Order): void {
    for (const worker of this.#workers) worker.postMessage(order);
  }

  /** The figures of all threads together. Those of the process are the same in each. */
  async #report(): Promise<string> {
    const own: Counted = await this.#operations.registry().getMetricsAsJSON();
    const ofProcess = own.filter(isOfProcess).map((metric) => ({ ...metric, aggregator: 'first' as const }));
    const others = this.#workers.map((worker) =>
      ask<Counted>((reply) => worker.postMessage({ do: 'count', reply } satisfies Order, [reply])),
    );
    const counted = [own, ...(await Promise.all(others))];
    const ofThreads = counted.map((metrics) => metrics.filter((metric) => !isOfProcess(metric)));
    return AggregatorRegistry.aggregate([ofProcess, ...ofThreads]).metrics();
  }
}

const isOfProcess = ({ name }: Counted[number]): boolean => name.startsWith('process_');

export async function ask<Reply>(send: (reply: MessagePort) => void): Promise<Reply> {
  const { port1, port2 } = new MessageChannel();
  send(port2);
  const [reply] = (await once(port1, 'message')) as [Reply];
  port1.close();
  return reply;
}
