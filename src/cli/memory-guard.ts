/**
 * Ends an import with a sentence where its foods do not fit into memory. V8 would end the process with a stack, and
 * nothing could be done about it.
 */
import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { shown, UserError } from '../errors.ts';
import type { Progress } from '../readers/report/read-options.ts';

const MIB = 1024 * 1024;

/** V8 counts this to the limit of its heap beside that of the old objects: three times 16 MiB for new ones. */
const NEW_OBJECTS = 48 * MIB;

/**
 * What must be free after garbage was collected, as a share and at the least: V8 gives up where it cannot move new objects
 * to the old ones, and before that does little but collect garbage.
 */
const FREE_SHARE = 0.1;
const LEAST_FREE = 8 * MIB;

/** Of a source; the need of the whole cannot be told from less. */
const LEAST_SHARE = 0.02;

/** Foods after which the collector can report, where a source is read without a pause. */
const TURN_INTERVAL = 4096;

/** What {@link outOfBuffers} tells, measured with descriptions of usual length. */
const GB_FOR_A_MILLION = 0.8;

export class MemoryGuard {
  readonly #limit = getHeapStatistics().heap_size_limit - NEW_OBJECTS;
  readonly #controller = new AbortController();
  readonly #observer: PerformanceObserver;
  #progress: Progress | undefined;
  /** Bytes of the heap when the source began that is being read. */
  #before = 0;
  #foods = 0;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajor)) this.#check();
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** Aborted with the error to show, where memory is full. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  update(progress: Progress): void {
    if (progress.source !== this.#progress?.source) this.#before = oldObjects();
    this.#progress = progress;
  }

  /** Called for each food; where it returns a promise, the next one must wait for it. */
  added(): Promise<void> | undefined {
    return ++this.#foods % TURN_INTERVAL === 0 ? this.#turn() : undefined;
  }

  async #turn(): Promise<void> {
    await turn();
    this.signal.throwIfAborted();
  }

  stop(): void {
    this.#observer.disconnect();
  }

  /** The error to show for what ended the import: typed arrays lie outside of the heap and its limit. */
  explain(error: unknown): unknown {
    if (!(error instanceof RangeError && /allocation failed/i.test(error.message))) return error;
    return new UserError(
      `The system gives this import no more memory: ${this.#foods.toLocaleString('en')} foods were read, and a million takes about ${GB_FOR_A_MILLION} GB. Leave foods out, or import where there is more. Nothing was written.`,
    );
  }

  #check(): void {
    const used = oldObjects();
    if (used < this.#limit - Math.max(FREE_SHARE * this.#limit, LEAST_FREE)) return;
    const limit = mebibytes(this.#limit);
    const whole = this.#whole(used);
    const needed = whole === undefined ? '' : `, and all of it needs about ${mebibytes(whole)} MB`;
    const source = this.#progress === undefined ? '' : ` while reading ${shown(this.#progress.source)}`;
    const allowed = Math.max(2 * limit, Math.ceil(1.5 * mebibytes(whole ?? 0)));
    this.#controller.abort(
      new UserError(
        `The foods do not fit into memory: the ${limit} MB that Node.js allows were full${source}${needed}. Allow more with NODE_OPTIONS=--max-old-space-size=${allowed}, or leave foods out. Nothing was written.`,
      ),
    );
  }

  /** Bytes that the heap takes when the source has been read whole, where its size is known. */
  #whole(used: number): number | undefined {
    const { bytes = 0, totalBytes = 0 } = this.#progress ?? {};
    const share = bytes / totalBytes;
    return share >= LEAST_SHARE ? this.#before + (used - this.#before) / Math.min(1, share) : undefined;
  }
}

/** Whether all garbage was collected, as far as the types know the entry. */
const isMajor = (entry: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/** Bytes of objects that outlived a collection; new ones are mostly garbage. */
function oldObjects(): number {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'));
  return old.reduce((sum, { space_used_size: size }) => sum + size, 0);
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / MIB);
