/**
 * Makes an index from foods: takes them one by one, then orders them once. This is the only mutable class of the engine;
 * the index is only read.
 *
 * Cost for f foods with n bytes of folded descriptions: O(n) time except for one sort of f numbers; at most 8 n of memory in
 * addition to the JSON of all entries.
 */
import { constants } from 'node:buffer';
import { UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { buildIndex } from './build-index.ts';
import type { Building } from './build-step.ts';
import type { Allocate } from './building/arena.ts';
import { BuildThread, perform } from './building/build-thread.ts';
import { addRaw, BATCH_SIZE, type FoodBatch, FULL_BATCH, type RawFoods } from './building/food-batch.ts';
import { ANSWER_ROOM } from './entries.ts';
import { MemorySink } from './index-sink.ts';
import { PortionsBuilder } from './portions.ts';
import type { EverydayFoods } from './ranking/everyday-foods.ts';
import type { IndexSections } from './sections.ts';

/** Positions are signed 32-bit numbers. */
const MAX_CORPUS = 2 ** 30 - 1;

/** Positions in the entries are unsigned 32-bit numbers; and Node.js 20 has no larger buffers. */
const MAX_ENTRIES_SIZE = Math.min(2 ** 32 - 1, constants.MAX_LENGTH) - ANSWER_ROOM;

/** Batches that may wait for each thread. */
const WAITING_BATCHES = 2;

/** Other threads that read batches. */
export interface BatchReaders {
  readonly threads: number;
  /** Returns the batch, perhaps only once there are others or all are read. @param isLast whether no other follows */
  read(foods: RawFoods, isLast: boolean): Promise<FoodBatch>;
}

export interface BuilderOptions {
  /** Everyday foods; similar names get points. */
  readonly everydayFoods?: EverydayFoods | undefined;
  /** Maximum bytes of all entries. */
  readonly maxEntriesSize?: number;
  /** If absent, this thread does everything. */
  readonly readers?: BatchReaders | undefined;
}

const allocate: Allocate = (bytes) => new ArrayBuffer(bytes);

export class IndexBuilder {
  readonly #maxEntriesSize: number;
  readonly #readers: BatchReaders | undefined;
  /** The steps of this thread. */
  readonly #here: BuildThread;
  readonly #portions = new PortionsBuilder();
  #raw: RawFoods = { texts: [], popularities: [] };
  /** Characters of the descriptions in it. */
  #characters = 0;
  /** In the order of the foods; undefined while another thread reads it. */
  readonly #batches: (FoodBatch | undefined)[] = [];
  readonly #reading: Promise<void>[] = [];
  #size = 0;
  #textSize = 0;
  #entriesSize = 0;

  constructor({ everydayFoods, maxEntriesSize = MAX_ENTRIES_SIZE, readers }: BuilderOptions = {}) {
    this.#maxEntriesSize = maxEntriesSize;
    this.#readers = readers;
    this.#here = new BuildThread(0, allocate, everydayFoods);
  }

  /** The number of foods so far. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a food. If it returns a promise, the next food must wait for it.
   * @throws UserError if the foods do not fit into one index, perhaps only at a later call
   */
  add(food: FoodRecord): Promise<void> | undefined {
    this.#portions.add(food);
    addRaw(this.#raw, food);
    this.#size++;
    this.#characters += food.description.length;
    const isFull = this.#raw.popularities.length === BATCH_SIZE || this.#characters >= FULL_BATCH;
    return isFull ? this.#readBatch() : undefined;
  }

  /** Makes the index in this thread. The builder cannot be used again. */
  finish(): IndexSections {
    const steps = this.steps(1, allocate);
    const sink = new MemorySink();
    let answer: unknown;
    for (;;) {
      const { done, value } = steps.next(answer);
      if (done) return sink.whole();
      answer = undefined;
      if ('jobs' in value) answer = value.jobs.map((job) => perform(this.#here, job));
      else if ('each' in value) answer = [perform(this.#here, value.each)];
      else if ('index' in value) sink.begin(value.index, value.entriesSize);
      else if ('entries' in value) sink.entries(value.entries);
    }
  }

  /** Waits for the batches that other threads read. To be called before {@link steps}. */
  async allRead(): Promise<void> {
    if (this.#raw.popularities.length > 0) await this.#readBatch(true);
    await Promise.all(this.#reading);
  }

  /** The steps that make the index. The builder cannot be used again. */
  steps(threads: number, allocate: Allocate): Building<void> {
    if (this.#raw.popularities.length > 0) this.#readBatch();
    const batches = this.#batches.map((batch) => batch!);
    this.#batches.length = 0;
    const foods = {
      batches,
      portions: this.#portions,
      size: this.#size,
      textSize: this.#textSize,
      entriesSize: this.#entriesSize,
    };
    return buildIndex(foods, { threads, allocate });
  }

  #readBatch(isLast = false): Promise<void> | undefined {
    const raw = this.#raw;
    this.#raw = { texts: [], popularities: [] };
    this.#characters = 0;
    const readers = this.#readers;
    const at = this.#batches.push(undefined) - 1;
    if (readers === undefined) {
      this.#take(at, perform(this.#here, { step: 'read', input: raw }) as FoodBatch);
      return undefined;
    }
    const reading = readers.read(raw, isLast).then((batch) => this.#take(at, batch));
    // The caller that waits for it gets its fault.
    reading.catch(() => {});
    this.#reading.push(reading);
    return this.#reading.length > WAITING_BATCHES * readers.threads ? this.#reading.shift() : undefined;
  }

  #take(at: number, batch: FoodBatch): void {
    this.#batches[at] = batch;
    this.#textSize += batch.textSize;
    this.#entriesSize += batch.entries.length;
    if (this.#textSize > MAX_CORPUS || this.#entriesSize > this.#maxEntriesSize) {
      throw new UserError(
        `${this.size.toLocaleString('en')} foods and more do not fit into one index. Leave some out, or use a database.`,
      );
    }
  }
}
