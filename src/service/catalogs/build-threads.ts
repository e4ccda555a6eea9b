/** The threads of an import. They share memory, so that nothing large is sent between them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { Allocate, BuildPool, InputOf, Job, OutputOf, StepName } from '#engine';

export const shared: Allocate = (bytes) => new SharedArrayBuffer(bytes);

/** The built file, as seen from here both in `src` and in `dist`. */
const WORKER = new URL('../../../dist/service/catalogs/build-worker.js', import.meta.url);

/** Memory limits: the objects of a thread are soon garbage, or outside its heap. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** Jobs that a thread has at a time: one running, one waiting. */
const JOBS_AT_ONCE = 2;

interface Waiting {
  readonly job: Job;
  done(output: unknown): void;
  failed(error: unknown): void;
}

interface Member {
  readonly worker: Worker;
  readonly given: Waiting[];
}

export class BuildThreads implements BuildPool {
  readonly allocate = shared;
  readonly #members: readonly Member[];
  readonly #waiting: Waiting[] = [];
  #fault: { readonly error: unknown } | undefined;

  constructor(threads: number) {
    this.#members = Array.from({ length: threads }, (_, number) => {
      const member: Member = {
        worker: new Worker(WORKER, { workerData: number, resourceLimits: LIMITS }),
        given: [],
      };
      member.worker.on('message', (output) => {
        member.given.shift()?.done(output as never);
        this.#next(member);
      });
      member.worker.on('error', (error) => this.#fail(error));
      return member;
    });
  }

  get threads(): number {
    return this.#members.length;
  }

  run<Name extends StepName>(step: Name, inputs: readonly InputOf<Name>[]): Promise<OutputOf<Name>[]> {
    return Promise.all(inputs.map((input) => this.#start({ step, input })));
  }

  runInEach<Name extends StepName>(step: Name, input: InputOf<Name>): Promise<OutputOf<Name>[]> {
    return Promise.all(this.#members.map((member) => this.#start({ step, input }, member)));
  }

  #start<Name extends StepName>(job: Job<Name>, member?: Member): Promise<OutputOf<Name>> {
    return new Promise((done, failed) => {
      if (this.#fault !== undefined) throw this.#fault.error;
      const waiting = { job, done, failed };
      if (member !== undefined) this.#give(member, waiting);
      else {
        this.#waiting.push(waiting);
        this.#next(this.#members.reduce((a, b) => (b.given.length < a.given.length ? b : a)));
      }
    });
  }

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
    try {
      worker.postMessage(waiting.job);
    } catch (error) {
      // There is no memory for the copy.
      this.#fail(error);
    }
  }

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
    // It applies to the contexts created from now on.
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  }
  collectGarbage();
}
