/**
 * The steps of making an index that may run in several threads at once. Each thread has one of these, with its own counts;
 * everything else is in arrays that all threads share. `index-builder.ts` distributes the steps.
 */
import type { EverydayFoods } from '../ranking/everyday-foods.ts';
import { Ranking } from '../ranking/ranking.ts';
import { type NameCounts, NameStatistics } from '../ranking/statistics.ts';
import { sortInto } from '../suffixes/suffix-array.ts';
import type { TokenDictionary } from '../suffixes/token-dictionary.ts';
import { type Allocate, Arena } from './arena.ts';
import { type FoodBatch, foodBatch, type RawFoods } from './food-batch.ts';
import { LocalWords } from './local-words.ts';
import { groupNames, type NameGroups } from './name-groups.ts';
import { BatchScorer, type Neighbours, type ScoredBatch } from './scored-batch.ts';
import { splitSuffixes } from './split-suffixes.ts';
import { countKindsBefore, spreadSuffixes, type Tokens } from './spread-suffixes.ts';
import {
  type CollectedFoods,
  type FoodPart,
  fillBlocks,
  gatherEntries,
  gatherTexts,
} from './static-order.ts';
import { fillPostings, type PostingArrays, type SortedWords, type ThreadWords } from './vocabulary.ts';

export class BuildThread {
  readonly fillBlocks = fillBlocks;
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

  groupNames(job: {
    batches: readonly FoodBatch[];
    groups: NameGroups;
    share: number;
    shares: number;
  }): void {
    groupNames(job.batches, job.groups, job.share, job.shares);
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

  /** Keeps the foods for the steps below. */
  take(foods: CollectedFoods): void {
    this.#foods = foods;
  }

  gatherEntries(job: FoodPart & { entries: Uint8Array }): void {
    gatherEntries(this.#foods, job, job.entries);
  }

  gatherTexts(job: FoodPart & { corpus: Uint8Array; textStart: number; tokens: Tokens }): Int32Array {
    return gatherTexts(this.#foods, job, job.corpus, job.textStart, job.tokens);
  }

  fillPostings(job: PostingArrays & Pick<SortedWords, 'postingStarts' | 'rankOf'>): void {
    fillPostings(this.#foods, job, job);
  }

  /** Sorts the tokens of which these are the ranks. */
  sortTokens({
    kinds,
    dictionary,
    sorted,
  }: {
    kinds: Int32Array;
    dictionary: Pick<TokenDictionary, 'rankOf' | 'ranks'>;
    sorted: Int32Array;
  }): void {
    const { rankOf, ranks } = dictionary;
    const text = new Int32Array(kinds.length);
    for (let token = 0; token < text.length; token++) text[token] = rankOf[kinds[token]!]!;
    sortInto(sorted, text, ranks);
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

export function perform(thread: BuildThread, { step, input }: Job): unknown {
  return (thread[step] as (input: unknown) => unknown).call(thread, input);
}
