/**
 * The threads of an import. They share memory, so that nothing large is sent between them.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { Allocate } from '../../search/building/arena.ts';
import type { Job, OutputOf, StepName } from '../../search/building/build-thread.ts';

export interface ThreadData {
  readonly number: number;
  readonly everydayFoods: readonly string[] | undefined;
}

export const shared: Allocate = (bytes) => new SharedArrayBuffer(bytes);

/** The built file, as seen from here both in `src` and in `dist`. */
const WORKER = new URL('../../../dist/catalogs/index/build-worker.js', import.meta.url);

/** Memory limits: the objects of a thread are soon garbage, or outside its heap. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** Jobs that a thread has at a time: one running, one waiting. */
const JOBS_AT_ONCE = 2;

/** A job that is waiting for a thread, or for its end. */
interface Waiting {
  readonly job: Job;
  readonly done: (output: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A thread, and its jobs in order. */
interface Member {
  readonly worker: Worker;
  readonly given: Waiting[];
}

export class BuildThreads {
  readonly allocate = shared;
  readonly #members: readonly Member[];
  /** Jobs for whichever thread is free. */
  readonly #waiting: Waiting[] = [];
  #fault: { readonly error: unknown } | undefined;

  constructor(threads: number, everydayFoods: readonly string[] | undefined) {
    this.#members = Array.from({ length: threads }, (_, number) => {
      const workerData: ThreadData = { number, everydayFoods };
      const member: Member = {
        worker: new Worker(WORKER, { workerData, resourceLimits: LIMITS }),
        given: [],
      };
      member.worker.on('message', (output) => {
        member.given.shift()?.done(output);
        this.#next(member);
      });
      member.worker.on('error', (error) => this.#fail(error));
      return member;
    });
  }

  get threads(): number {
    return this.#members.length;
  }

  /** Runs a job in the thread that is free first. */
  run<Name extends StepName>(job: Job<Name>): Promise<OutputOf<Name>> {
    const ran = this.#start(job, (waiting) => {
      this.#waiting.push(waiting);
      this.#next(this.#members.reduce((a, b) => (b.given.length < a.given.length ? b : a)));
    });
    return ran as Promise<OutputOf<Name>>;
  }

  /** Runs a job in every thread, after its earlier jobs. */
  inEach(job: Job): Promise<unknown[]> {
    return Promise.all(
      this.#members.map((member) => this.#start(job, (waiting) => this.#give(member, waiting))),
    );
  }

  #start(job: Job, give: (waiting: Waiting) => void): Promise<unknown> {
    return new Promise((done, failed) => {
      if (this.#fault !== undefined) failed(this.#fault.error);
      give({ job, done, failed });
    });
  }

  /** Returns unused memory to the system. */
  release(): void {
    for (const { worker } of this.#members) worker.postMessage('release');
    releaseMemory();
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ worker }) => worker.terminate()));
  }

  #next(member: Member): void {
    if (member.given.length >= JOBS_AT_ONCE) return;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#give(member, next);
  }

  #give({ worker, given }: Member, waiting: Waiting): void {
    given.push(waiting);
    worker.postMessage(waiting.job);
  }

  /** A thread that fails ends the whole import. */
  #fail(error: unknown): void {
    this.#fault ??= { error };
    for (const { failed } of [...this.#waiting, ...this.#members.flatMap(({ given }) => given)])
      failed(error);
    this.#waiting.length = 0;
  }
}

let collectGarbage: (() => void) | undefined;

/**
 * Collects all garbage of this thread now. Memory outside the heap is freed with the objects that own it, and a thread that creates
 * few new objects might never collect the old ones.
 */
export function releaseMemory(): void {
  if (collectGarbage === undefined) {
    // It applies to the contexts of all threads created from now on.
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  }
  collectGarbage();
}
