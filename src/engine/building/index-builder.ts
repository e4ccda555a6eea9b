/**
 * Makes an index from foods: takes them one by one, then orders them once.
 *
 * Cost for f foods with n bytes of folded descriptions: O(n) time except for one sort of f numbers; at most 8 n of memory in
 * addition to the JSON of all entries.
 */
import { type FoodRecord, UserError } from '#core';
import { writeLanguage } from '../languages/language-part.ts';
import { type OrderedFoods, Translations } from '../languages/translations.ts';
import type { EverydayFoods } from '../order/everyday-foods.ts';
import { CodesBuilder } from '../store/code-sections.ts';
import { type IndexSections, type IndexSink, inMemory } from '../store/sections.ts';
import { buildIndex } from './build-index.ts';
import { type BuildPool, inThisThread } from './build-pool.ts';
import { FactShapes } from './fact-shapes.ts';
import {
  addRaw,
  BATCH_SIZE,
  countRaw,
  type FoodBatch,
  type JoinedFoods,
  joined,
  noFoods,
} from './food-batch.ts';

/** Positions are signed 32-bit numbers. */
const MAX_CORPUS = 2 ** 30 - 1;

/** Positions in the entries are unsigned 32-bit numbers. */
const MAX_ENTRIES_SIZE = 2 ** 32 - 1;

/** Up to this many batches, the start of threads would take longer than they save. */
const FEW_BATCHES = 2;

const WAITING_BATCHES = 2;

export interface BuilderOptions {
  /** Similar names get points. */
  readonly everydayFoods?: EverydayFoods | undefined;
  readonly maxEntriesSize?: number;
  /** Starts the threads that make the index, unless the foods are few; if absent, this thread makes it. */
  readonly startPool?: (() => BuildPool) | undefined;
}

export class IndexBuilder {
  readonly #options: BuilderOptions;
  readonly #parts = {
    facts: new FactShapes(),
    codes: new CodesBuilder(),
    translations: new Translations(),
  };
  readonly #takers = Object.values(this.#parts);
  #raw = noFoods();
  /** Batches that wait until it is known whether the foods are few. */
  #held: JoinedFoods[] = [];
  #pool: BuildPool | undefined;
  /** In the order of the foods; undefined while a batch is being read. */
  readonly #batches: (FoodBatch | undefined)[] = [];
  readonly #reading: Promise<void>[] = [];
  #size = 0;
  #textSize = 0;
  #entriesSize = 0;

  constructor(options: BuilderOptions = {}) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds a food. If it returns a promise, the next food must wait for it.
   * @throws UserError if the foods do not fit into one index, perhaps only at a later call
   */
  add(food: FoodRecord): Promise<void> | undefined {
    if (food.codesOf !== undefined) {
      this.#parts.codes.addTo(food.codesOf, food);
      return undefined;
    }
    for (const part of this.#takers) part.add(food);
    addRaw(this.#raw, food);
    this.#size++;
    if (countRaw(this.#raw) < BATCH_SIZE) return undefined;
    this.#endBatch();
    if (this.#pool === undefined && this.#held.length <= FEW_BATCHES) return undefined;
    return this.#readHeld();
  }

  /** Makes the index, and hands it over to the sink. The builder cannot be used again. */
  async finishInto(sink: IndexSink, onPhase?: (phase: string) => void): Promise<void> {
    await this.#build(sink, onPhase);
  }

  /** @returns the foods in the order of the index, as numbered by their arrival */
  async #build(sink: IndexSink, onPhase: (phase: string) => void = () => {}): Promise<Uint32Array> {
    if (countRaw(this.#raw) > 0) this.#endBatch();
    // The oldest is no longer among the others, and may still be the last to be read.
    const oldest = this.#readHeld();
    await Promise.all([oldest, ...this.#reading]);
    const foods = {
      batches: this.#batches.splice(0).map((batch) => batch!),
      ...this.#parts,
      size: this.#size,
      textSize: this.#textSize,
      entriesSize: this.#entriesSize,
      everydayFoods: this.#options.everydayFoods?.descriptions,
    };
    return buildIndex(foods, this.#startedPool(), sink, onPhase, (ordered) => this.#languages(ordered));
  }

  /** The foods under their names in each further language, ordered by their score, too. */
  async #languages(ordered: OrderedFoods): Promise<Record<string, Uint8Array>> {
    const { translations } = this.#parts;
    const parts: Record<string, Uint8Array> = {};
    for (const language of translations.languages) {
      const builder = new IndexBuilder({ startPool: this.#options.startPool });
      for (const food of translations.in(language, ordered)) {
        const isRead = builder.add(food);
        if (isRead !== undefined) await isRead;
      }
      let numbers: Uint32Array = new Uint32Array(0);
      const index = await inMemory(async (sink) => {
        numbers = await builder.#build(sink);
      });
      await builder.close();
      parts[language] = writeLanguage(index, numbers);
    }
    return parts;
  }

  /** Makes the index in memory. The builder cannot be used again. */
  finish(): Promise<IndexSections> {
    return inMemory((sink) => this.finishInto(sink));
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  #endBatch(): void {
    this.#held.push(joined(this.#raw));
    this.#raw = noFoods();
  }

  #startedPool(): BuildPool {
    const { startPool = inThisThread } = this.#options;
    this.#pool ??= this.#held.length > FEW_BATCHES ? startPool() : inThisThread();
    return this.#pool;
  }

  /** Returns a promise if too many batches wait. */
  #readHeld(): Promise<void> | undefined {
    const pool = this.#startedPool();
    for (const raw of this.#held.splice(0)) {
      const at = this.#batches.push(undefined) - 1;
      const reading = pool.run('read', [raw]).then(([batch]) => this.#take(at, batch!));
      // The caller that waits for it gets its fault.
      reading.catch(() => {});
      this.#reading.push(reading);
    }
    return this.#reading.length > WAITING_BATCHES * pool.threads ? this.#reading.shift() : undefined;
  }

  #take(at: number, batch: FoodBatch): void {
    this.#batches[at] = batch;
    this.#textSize += batch.textSize;
    this.#entriesSize += batch.entries.length;
    const { maxEntriesSize = MAX_ENTRIES_SIZE } = this.#options;
    if (this.#textSize > MAX_CORPUS || this.#entriesSize > maxEntriesSize) {
      throw new UserError(
        `${this.size.toLocaleString('en')} foods and more do not fit into one index. Leave some out, or use a database.`,
      );
    }
  }
}
