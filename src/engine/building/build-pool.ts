/**
 * The steps of making an index that take most of the time, and where they run: in this thread, or in others that share memory
 * with it. `build-index.ts` decides which steps run when.
 */
import { EverydayFoods } from '../order/everyday-foods.ts';
import { Ranking } from '../order/ranking.ts';
import { type NameCounts, NameStatistics } from '../order/statistics.ts';
import { sortSuffixes } from '../suffixes/sort-suffixes.ts';
import type { CountedWords } from '../words/sorted-words.ts';
import { type Allocate, Arena } from './arena.ts';
import { type FoodBatch, foodBatch, type JoinedFoods } from './food-batch.ts';
import { LocalWords } from './local-words.ts';
import { groupNames } from './name-groups.ts';
import { type Neighbours, type ScoredBatch, scoredBatch } from './scored-batch.ts';
import { placeTexts } from './static-order.ts';

/** What each thread has: the counts, words and arrays of the foods that it was given. */
export class BuildThread {
  // Steps that need nothing of this thread.
  readonly groupNames = groupNames;
  readonly placeTexts = placeTexts;
  readonly sortSuffixes = sortSuffixes;
  readonly #number: number;
  readonly #allocate: Allocate;
  #batches: Arena;
  #names: Arena;
  /** The facts of foods, which go into the index as they are. */
  readonly #facts: Arena;
  /** For the texts of scored foods, and for the rest, which is needed longer. */
  #texts: Arena;
  #scores: Arena;
  #statistics = new NameStatistics();
  #ranking: Ranking | undefined;
  #words = new LocalWords();

  constructor(number: number, allocate: Allocate) {
    this.#number = number;
    this.#allocate = allocate;
    this.#batches = new Arena(allocate);
    this.#names = new Arena(allocate);
    this.#facts = new Arena(allocate);
    this.#texts = new Arena(allocate);
    this.#scores = new Arena(allocate);
  }

  read(raw: JoinedFoods): FoodBatch {
    const { facts, factStarts, nameKeys, ...others } = foodBatch(raw, this.#statistics);
    const kept = { ...this.#facts.keep({ facts, factStarts }), ...this.#names.keep({ nameKeys }) };
    return { ...this.#batches.keep(others), ...kept };
  }

  /** The counts of this thread, which no longer needs them. */
  nameCounts(): NameCounts {
    const { counts } = this.#statistics;
    this.#statistics = new NameStatistics();
    this.#batches = new Arena(this.#allocate);
    this.#names = new Arena(this.#allocate);
    return counts;
  }

  /** @param everydayFoods their descriptions; similar names get points */
  startScoring({ counts, everydayFoods }: { counts: NameCounts; everydayFoods?: readonly string[] }): void {
    this.#ranking = new Ranking(
      new NameStatistics(counts),
      everydayFoods && new EverydayFoods(everydayFoods),
    );
  }

  score({ batch, neighbours }: { batch: FoodBatch; neighbours: Neighbours }): ScoredBatch {
    const { texts, ...others } = scoredBatch(batch, neighbours, this.#ranking!, this.#words);
    return { ...this.#scores.keep(others), texts: this.#texts.keep(texts), thread: this.#number };
  }

  /** The words of all foods that this thread has scored, which it then forgets. */
  words(): CountedWords {
    const { texts, foods } = this.#words;
    this.#words = new LocalWords();
    this.#texts = new Arena(this.#allocate);
    this.#scores = new Arena(this.#allocate);
    this.#ranking = undefined;
    return { texts, foods };
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

export interface BuildPool {
  readonly threads: number;
  /** Allocates memory that all threads see. */
  readonly allocate: Allocate;
  /** Runs a step for each of these inputs, in whichever thread is free. */
  run<Name extends StepName>(step: Name, inputs: readonly InputOf<Name>[]): Promise<OutputOf<Name>[]>;
  /** Runs a step once in every thread, after its earlier ones. */
  runInEach<Name extends StepName>(step: Name, input: InputOf<Name>): Promise<OutputOf<Name>[]>;
  /** Returns memory to the system, after much of it has become garbage. */
  release(): void;
  close(): Promise<void>;
}

/** For few foods, and where there are no threads. */
export function inThisThread(): BuildPool {
  const allocate: Allocate = (bytes) => new ArrayBuffer(bytes);
  const thread = new BuildThread(0, allocate);
  return {
    threads: 1,
    allocate,
    run: async (step, inputs) => inputs.map((input) => perform(thread, { step, input })),
    runInEach: async (step, input) => [perform(thread, { step, input })],
    release: () => {},
    close: async () => {},
  };
}
