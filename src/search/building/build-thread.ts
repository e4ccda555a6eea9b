/**
 * The steps of making an index that may run in several threads at once. Each thread has one of these, with its own counts;
 * everything else is in arrays that all threads share. `build-index.ts` decides which steps run when, a `BuildPool` where.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { EverydayFoods } from '../ranking/everyday-foods.ts';
import { Ranking } from '../ranking/ranking.ts';
import { type NameCounts, NameStatistics } from '../ranking/statistics.ts';
import { type Allocate, Arena } from './arena.ts';
import { type FoodBatch, foodBatch, type RawFoods } from './food-batch.ts';
import { groupNames } from './name-groups.ts';
import { LocalWords, type Neighbours, type ScoredBatch, scoredBatch } from './scored-batch.ts';
import { sortSuffixes } from './sort-suffixes.ts';
import {
  type CollectedFoods,
  type EntriesPart,
  fillBlocks,
  gatherEntries,
  gatherTexts,
  type TextsPart,
} from './static-order.ts';
import { fillPostings, type OpenPostings, type ThreadWords } from './vocabulary.ts';

export class BuildThread {
  // Steps that need nothing of this thread.
  readonly groupNames = groupNames;
  readonly fillBlocks = fillBlocks;
  readonly sortSuffixes = sortSuffixes;
  readonly #number: number;
  readonly #allocate: Allocate;
  /** For the foods as they are read, their texts, and their other scores. */
  #batches: Arena;
  #texts: Arena;
  #scores: Arena;
  readonly #everydayFoods: EverydayFoods | undefined;
  #statistics = new NameStatistics();
  #ranking: Ranking | undefined;
  #words = new LocalWords();
  #foods: CollectedFoods = { batches: [], scored: [], order: new Uint32Array(0) };

  constructor(number: number, allocate: Allocate, everydayFoods?: EverydayFoods) {
    this.#number = number;
    this.#allocate = allocate;
    this.#batches = new Arena(allocate);
    this.#texts = new Arena(allocate);
    this.#scores = new Arena(allocate);
    this.#everydayFoods = everydayFoods;
  }

  read(raw: RawFoods): FoodBatch {
    return foodBatch(raw, this.#statistics, this.#batches);
  }

  /** The counts of this thread, which no longer needs them. */
  nameCounts(): NameCounts {
    const { counts } = this.#statistics;
    this.#statistics = new NameStatistics();
    this.#batches = new Arena(this.#allocate);
    return counts;
  }

  startScoring(counts: NameCounts): void {
    this.#ranking = new Ranking(new NameStatistics(counts), this.#everydayFoods);
  }

  score({ batch, neighbours }: { batch: FoodBatch; neighbours: Neighbours }): ScoredBatch {
    const scored = scoredBatch(batch, neighbours, this.#ranking!, this.#words, this.#texts, this.#scores);
    return { ...scored, thread: this.#number };
  }

  /** The words of all foods that this thread has scored, which it then forgets. */
  words(): ThreadWords {
    const { texts, foods } = this.#words;
    this.#words = new LocalWords();
    this.#texts = new Arena(this.#allocate);
    this.#scores = new Arena(this.#allocate);
    this.#ranking = undefined;
    return { texts, foods };
  }

  /** Keeps the foods for the steps below, or drops those that are empty. */
  take(foods: Partial<CollectedFoods>): void {
    this.#foods = { ...this.#foods, ...foods };
  }

  gatherEntries(part: EntriesPart): void {
    gatherEntries(this.#foods, part);
  }

  gatherTexts(part: TextsPart): void {
    gatherTexts(this.#foods, part);
  }

  fillPostings(postings: OpenPostings): void {
    fillPostings(this.#foods, postings);
  }
}

export type StepName = keyof BuildThread;
export type InputOf<Name extends StepName> = Parameters<BuildThread[Name]>[0];
export type OutputOf<Name extends StepName> = ReturnType<BuildThread[Name]>;

export interface Job<Name extends StepName = StepName> {
  readonly step: Name;
  readonly input: InputOf<Name>;
}

export function perform<Name extends StepName>(
  thread: BuildThread,
  { step, input }: Job<Name>,
): OutputOf<Name> {
  return (thread[step] as (input: InputOf<Name>) => OutputOf<Name>).call(thread, input);
}

/** Where the steps run: in other threads (`catalogs/index/build-threads.ts`), or in this one. */
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
  /** Collects garbage; absent for few foods, where that would take a seventh of the time. */
  readonly release?: () => void;
}

export class ThisThread implements BuildPool {
  readonly threads = 1;
  readonly allocate: Allocate = (bytes) => new ArrayBuffer(bytes);
  readonly release: () => void;
  readonly #thread: BuildThread;

  constructor({ everydayFoods, release = () => {} }: ThisThreadOptions) {
    this.release = release;
    this.#thread = new BuildThread(0, this.allocate, everydayFoods);
  }

  async run<Name extends StepName>(step: Name, inputs: readonly InputOf<Name>[]): Promise<OutputOf<Name>[]> {
    const outputs: OutputOf<Name>[] = [];
    for (const input of inputs) {
      // Signals that end the import wait for a turn.
      await turn();
      outputs.push(perform(this.#thread, { step, input }));
    }
    return outputs;
  }

  runInEach<Name extends StepName>(step: Name, input: InputOf<Name>): Promise<OutputOf<Name>[]> {
    return this.run(step, [input]);
  }

  async close(): Promise<void> {}
}
