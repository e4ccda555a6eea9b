/**
 * The steps of making an index that may run in several threads at once. Each thread has one of these, with its own counts;
 * everything else is in arrays that all threads share. `build-index.ts` decides which steps run when, a `BuildPool` where.
 */
import type { EverydayFoods } from '../ranking/everyday-foods.ts';
import { Ranking } from '../ranking/ranking.ts';
import { type NameCounts, NameStatistics } from '../ranking/statistics.ts';
import { type Allocate, Arena } from './arena.ts';
import { type FoodBatch, foodBatch, type RawFoods } from './food-batch.ts';
import { LocalWords } from './local-words.ts';
import { groupNames } from './name-groups.ts';
import { BatchScorer, type Neighbours, type ScoredBatch } from './scored-batch.ts';
import { countKindsBefore, sortTokens, splitSuffixes, spreadSuffixes } from './spread-suffixes.ts';
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
  readonly sortTokens = sortTokens;
  readonly countKinds = countKindsBefore;
  readonly spread = spreadSuffixes;
  readonly split = splitSuffixes;
  readonly #number: number;
  readonly #allocate: Allocate;
  /** For the foods as they are read, the keys of their names, their texts, and their other scores. */
  #batches: Arena;
  #keys: Arena;
  #texts: Arena;
  #scores: Arena;
  readonly #everydayFoods: EverydayFoods | undefined;
  #statistics = new NameStatistics();
  #ranking: Ranking | undefined;
  #words = new LocalWords();
  #foods: CollectedFoods = { batches: [], scored: [], order: new Uint32Array(0) };

  /**
   * @param number its number among all threads
   * @param everydayFoods what people eat every day
   */
  constructor(number: number, allocate: Allocate, everydayFoods?: EverydayFoods) {
    this.#number = number;
    this.#allocate = allocate;
    this.#batches = new Arena(allocate);
    this.#keys = new Arena(allocate);
    this.#texts = new Arena(allocate);
    this.#scores = new Arena(allocate);
    this.#everydayFoods = everydayFoods;
  }

  read(raw: RawFoods): FoodBatch {
    return foodBatch(raw, this.#statistics, this.#batches, this.#keys);
  }

  /** The counts of this thread, which no longer needs them. */
  nameCounts(): NameCounts {
    const { counts } = this.#statistics;
    this.#statistics = new NameStatistics();
    this.#batches = new Arena(this.#allocate);
    this.#keys = new Arena(this.#allocate);
    return counts;
  }

  /** @param counts of all foods */
  startScoring(counts: NameCounts): void {
    this.#ranking = new Ranking(new NameStatistics(counts), this.#everydayFoods);
  }

  score({ batch, neighbours }: { batch: FoodBatch; neighbours: Neighbours }): ScoredBatch {
    const scorer = new BatchScorer(batch, neighbours, this.#ranking!, this.#words);
    return scorer.score(this.#number, this.#texts, this.#scores);
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

  gatherTexts(part: TextsPart): Int32Array {
    return gatherTexts(this.#foods, part);
  }

  fillPostings(postings: OpenPostings): void {
    fillPostings(this.#foods, postings);
  }
}

export type StepName = keyof BuildThread;
export type InputOf<Name extends StepName> = Parameters<BuildThread[Name]>[0];
export type OutputOf<Name extends StepName> = ReturnType<BuildThread[Name]>;

/** A step and what it needs. */
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
