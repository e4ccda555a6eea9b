/**
 * Where the steps of making an index run: in other threads (`catalogs/index/build-threads.ts`), or in this one.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { EverydayFoods } from '../ranking/everyday-foods.ts';
import type { Allocate } from './arena.ts';
import { BuildThread, type InputOf, type OutputOf, perform, type StepName } from './build-thread.ts';

export interface BuildPool {
  readonly threads: number;
  readonly allocate: Allocate;
  /** Runs a step for each of these inputs, in whichever thread is free. */
  run<Name extends StepName>(step: Name, inputs: readonly InputOf<Name>[]): Promise<OutputOf<Name>[]>;
  /** Runs a step once in every thread, after its earlier ones. */
  runInEach<Name extends StepName>(step: Name, input: InputOf<Name>): Promise<OutputOf<Name>[]>;
  /** Returns memory to the system, after much of it has become garbage. */
  release(): void;
  close(): Promise<void>;
}

export interface ThisThreadOptions {
  readonly everydayFoods?: EverydayFoods | undefined;
  /** Ends the work between two steps. */
  readonly signal?: AbortSignal | undefined;
  /** Collects garbage; absent for few foods, where that would take a seventh of the time. */
  readonly release?: () => void;
}

/** This thread alone. */
export class ThisThread implements BuildPool {
  readonly threads = 1;
  readonly allocate: Allocate = (bytes) => new ArrayBuffer(bytes);
  readonly release: () => void;
  readonly #thread: BuildThread;
  readonly #signal: AbortSignal | undefined;

  constructor({ everydayFoods, signal, release = () => {} }: ThisThreadOptions) {
    this.release = release;
    this.#thread = new BuildThread(0, this.allocate, everydayFoods);
    this.#signal = signal;
  }

  async run<Name extends StepName>(step: Name, inputs: readonly InputOf<Name>[]): Promise<OutputOf<Name>[]> {
    const outputs: OutputOf<Name>[] = [];
    for (const input of inputs) {
      // Timers and signals that may abort the import wait for a turn.
      await turn();
      this.#signal?.throwIfAborted();
      outputs.push(perform(this.#thread, { step, input }));
    }
    return outputs;
  }

  runInEach<Name extends StepName>(step: Name, input: InputOf<Name>): Promise<OutputOf<Name>[]> {
    return this.run(step, [input]);
  }

  async close(): Promise<void> {}
}
