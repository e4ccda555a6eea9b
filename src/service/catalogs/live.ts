/**
 * An index file that may be replaced while it is served. One that cannot be used is refused, and the old data set stays. One
 * that is overwritten in place is read once it rests: a slow copy is neither read every second nor refused.
 */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { type CatalogEvents, UserError } from '#core';
import { type LoadedIndex, loadIndex, MemoryCatalog } from './memory.ts';

/** ms between two checks of the file. */
const FILE_INTERVAL = 1000;

export class LiveCatalog extends MemoryCatalog {
  readonly #path: string;
  readonly #isShared: boolean;
  /** The state of the file that is served, or was refused. */
  #seen: string;
  /** The state in which the file was found at the last look while it was overwritten. */
  #written = '';
  /** The state of the file that could not be read last. */
  #failed = '';
  #events: CatalogEvents | undefined;
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<void> | undefined;

  private constructor(path: string, isShared: boolean, loaded: LoadedIndex, seen: string) {
    super(loaded);
    this.#path = path;
    this.#isShared = isShared;
    this.#seen = seen;
  }

  /** @throws UserError if the file is not a usable index */
  static async open(path: string, isShared = false): Promise<LiveCatalog> {
    const seen = await stateOf(path);
    return new LiveCatalog(path, isShared, await loadIndex(path, isShared), seen);
  }

  watch(events: CatalogEvents): void {
    this.#events = events;
    this.#timer = setInterval(() => void this.look(), FILE_INTERVAL).unref();
  }

  /** Reads the file now, whether it has changed or not. */
  async reload(): Promise<void> {
    this.#seen = '';
    await this.look();
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#loading;
    await super.close();
  }

  /**
   * Reads the file if another one is in its place, or if it has changed and rested since the last look. Runs once at a time;
   * the next look finds a change made in the meantime.
   */
  async look(): Promise<void> {
    if (this.#loading !== undefined) return;
    const state = await stateOf(this.#path);
    // A missing file is about to be replaced, or was removed on purpose; its data set stays.
    if (state === '' || state === this.#seen || this.#loading !== undefined) return;
    if (fileOf(state) === fileOf(this.#seen) && state !== this.#written) {
      this.#written = state;
      return;
    }
    this.#seen = state;
    this.#loading = this.#swap(state);
    await this.#loading;
    this.#loading = undefined;
  }

  async #swap(state: string): Promise<void> {
    try {
      this.replace(await loadInThread(this.#path, this.#isShared));
      this.#failed = '';
      this.#events?.replaced(this.dataSet);
    } catch (error) {
      if (error instanceof UserError) return this.#events?.refused(error);
      // The fault may not be of the file: open files or memory may be lacking for a while.
      this.#seen = '';
      if (state === this.#failed) return;
      this.#failed = state;
      const message = 'The index cannot be read, and is tried again every second.';
      this.#events?.refused(new Error(message, { cause: error }));
    }
  }
}

/** The part of a state that stays while the file is overwritten. */
const fileOf = (state: string): string => state.split(' ', 2).join(' ');

/** Differs if the file was replaced or changed; empty if there is none. */
async function stateOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => `${dev} ${ino} ${size} ${mtimeNs}`,
    () => '',
  );
}

/** The built file, as seen from here both in `src` and in `dist`. */
const WORKER = new URL('../../../dist/service/catalogs/index-worker.js', import.meta.url);

async function loadInThread(path: string, isShared: boolean): Promise<LoadedIndex> {
  const worker = new Worker(WORKER, { workerData: { path, isShared } });
  try {
    const [result] = (await once(worker, 'message')) as [LoadedIndex | string];
    if (typeof result === 'string') throw new UserError(result);
    return result;
  } finally {
    await worker.terminate();
  }
}
