/** Ends an import with a sentence if its foods do not fit into memory. V8 would abort the process with a stack trace. */
import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { systemCode, UserError } from '../system/errors.ts';
import { amount } from '../text/printable.ts';

const MIB = 1024 * 1024;

/**
 * The part of the limit that must be free after a garbage collection, and the least number of bytes: V8 aborts if it
 * cannot promote new objects, and before that does little but collect garbage.
 */
const FREE_SHARE = 0.2;
const LEAST_FREE = 16 * MIB;

/** Measured with descriptions of usual length. */
const GB_FOR_A_MILLION = 0.5;

export class MemoryGuard {
  /** Bytes of the heap for objects that outlived a collection; for the first moment, those for new ones are included. */
  #limit = getHeapStatistics().heap_size_limit;
  readonly #controller = new AbortController();
  readonly #observer: PerformanceObserver;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajor)) this.#check();
    });
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#excludeNewObjects();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(): void {
    this.#observer.disconnect();
  }

  /** The error to show for the one that ended the import: typed arrays are outside the heap and its limit. */
  explain(error: unknown, foods: number): unknown {
    if (systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY')
      return this.#refusal('a thread of this import ran out of it', ', or add --threads 1, which takes less');
    if (!(error instanceof RangeError && /allocation failed/i.test(error.message))) return error;
    return new UserError(
      `The system gives this import no more memory: ${amount(foods)} foods were read, and a million takes about ${GB_FOR_A_MILLION} GB. Leave foods out, or import where there is more. Nothing was written.`,
    );
  }

  #check(): void {
    if (this.#limit - oldObjects() >= Math.max(FREE_SHARE * this.#limit, LEAST_FREE)) return;
    this.#controller.abort(
      this.#refusal(
        `the ${mebibytes(this.#limit)} MB that Node.js allows are used up`,
        ', or leave foods out',
      ),
    );
  }

  #refusal(what: string, alternative: string): UserError {
    return new UserError(
      `The foods do not fit into memory: ${what}. Allow more with NODE_OPTIONS=--max-old-space-size=${2 * mebibytes(this.#limit)}${alternative}. Nothing was written.`,
    );
  }

  /** Only a worker thread reports their limit: 192 MiB in Node.js 24, 48 in 20, less on small machines. */
  #excludeNewObjects(): void {
    const thread = new Worker('', { eval: true, execArgv: [], env: {} });
    // If no thread can start, the import itself is about to run out of memory.
    thread
      .once('error', () => {})
      .once('online', () => {
        // A moment later the thread has ended, and knows its limits no longer.
        this.#limit -= (thread.resourceLimits?.maxYoungGenerationSizeMb ?? 0) * MIB;
      });
  }
}

/** Whether it was a full collection; the types of Node.js do not know `detail`. */
const isMajor = (entry: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/** Bytes of objects that outlived a collection; new ones are mostly garbage. */
function oldObjects(): number {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'));
  return old.reduce((sum, { space_used_size: size }) => sum + size, 0);
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / MIB);
