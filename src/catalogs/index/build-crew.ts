/**
 * Makes an index in as many threads as pay off: in a single one if there are few foods, or if one is requested.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { BuildPhase } from '../../search/build-step.ts';
import type { Allocate } from '../../search/building/arena.ts';
import { BuildThread, type Job, perform } from '../../search/building/build-thread.ts';
import type { FoodBatch, RawFoods } from '../../search/building/food-batch.ts';
import type { BatchReaders, IndexBuilder } from '../../search/index-builder.ts';
import type { IndexSink } from '../../search/index-sink.ts';
import type { EverydayFoods } from '../../search/ranking/everyday-foods.ts';
import { BuildThreads, releaseMemory } from './build-threads.ts';

/** Up to this many batches, the start of threads would take longer than they save. */
const FEW_BATCHES = 2;

/** This thread alone, with the interface of several. */
class OneThread {
  readonly threads = 1;
  readonly allocate: Allocate = (bytes) => new ArrayBuffer(bytes);
  readonly #thread: BuildThread;
  readonly #signal: AbortSignal;
  readonly #isSmall: boolean;
  /** One job after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(everydayFoods: EverydayFoods | undefined, signal: AbortSignal, isSmall: boolean) {
    this.#isSmall = isSmall;
    this.#thread = new BuildThread(0, this.allocate, everydayFoods);
    this.#signal = signal;
  }

  run(job: Job): Promise<unknown> {
    const ran = this.#last.then(async () => {
      // Timers and signals that may abort the import wait for a turn.
      await turn();
      this.#signal.throwIfAborted();
      return perform(this.#thread, job);
    });
    this.#last = ran.catch(() => {});
    return ran;
  }

  async inEach(job: Job): Promise<unknown[]> {
    return [await this.run(job)];
  }

  release(): void {
    // Few foods leave little to release, and releasing it would take a seventh of the time of their import.
    if (!this.#isSmall) releaseMemory();
  }

  async close(): Promise<void> {}
}

export class BuildCrew implements BatchReaders {
  readonly threads: number;
  readonly #everydayFoods: EverydayFoods | undefined;
  readonly #signal: AbortSignal;
  /** Starts once it is known whether the foods are few. */
  #crew: OneThread | BuildThreads | undefined;
  /** Let it read the first batches. */
  readonly #held: ((crew: OneThread | BuildThreads) => void)[] = [];

  /**
   * @param threads the maximum number
   * @param signal ends the work between two steps
   */
  constructor(threads: number, everydayFoods: EverydayFoods | undefined, signal: AbortSignal) {
    this.threads = threads;
    this.#everydayFoods = everydayFoods;
    this.#signal = signal;
  }

  read(foods: RawFoods, isLast: boolean): Promise<FoodBatch> {
    const job: Job = { step: 'read', input: foods };
    const mayBeFew = !isLast && this.threads > 1 && this.#held.length < FEW_BATCHES;
    if (this.#crew === undefined && mayBeFew)
      return new Promise((resolve) =>
        this.#held.push((crew) => resolve(crew.run(job) as Promise<FoodBatch>)),
      );
    return this.#start(isLast && this.#held.length < FEW_BATCHES).run(job) as Promise<FoodBatch>;
  }

  /** Finishes the index of a builder whose foods this has read; the sink gets it. */
  async finish(builder: IndexBuilder, sink: IndexSink, onPhase: (phase: BuildPhase) => void): Promise<void> {
    const read = builder.allRead();
    const crew = this.#start(true);
    await read;
    const steps = builder.steps(crew.threads, crew.allocate);
    let written = Promise.resolve();
    let answer: unknown;
    for (;;) {
      const { done, value } = steps.next(answer);
      if (done) return;
      this.#signal.throwIfAborted();
      answer = undefined;
      if ('phase' in value) onPhase(value.phase);
      else if ('jobs' in value) answer = await Promise.all(value.jobs.map((job) => crew.run(job)));
      else if ('each' in value) answer = await crew.inEach(value.each);
      else if ('index' in value) sink.begin(value.index, value.entriesSize);
      else if ('entries' in value) await sink.entries(value.entries);
      else if ('finished' in value) written = sink.finished(value.finished);
      else {
        // Arrays that are being written are not garbage yet.
        await written;
        crew.release();
      }
    }
  }

  async close(): Promise<void> {
    await this.#crew?.close();
  }

  #start(isSmall: boolean): OneThread | BuildThreads {
    this.#crew ??=
      isSmall || this.threads === 1
        ? new OneThread(this.#everydayFoods, this.#signal, isSmall)
        : new BuildThreads(this.threads, this.#everydayFoods?.descriptions);
    for (const read of this.#held.splice(0)) read(this.#crew);
    return this.#crew;
  }
}
