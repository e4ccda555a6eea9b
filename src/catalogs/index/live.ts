/**
 * An index file that may be replaced while it is served: the new one is read and checked beside the old one,
 * then takes its place between two requests. A file that cannot be used is refused, and the old data set stays.
 */
import { stat } from 'node:fs/promises';
import type { CatalogEvents, DataSet, FoodCatalog, OtherNames, WordsAnswer } from '../../catalog.ts';
import { UserError } from '../../errors.ts';
import { loadInThread } from './load-index.ts';
import { MemoryCatalog } from './memory.ts';

/** ms between two looks at the file. */
const LOOK_INTERVAL = 1000;

export class LiveCatalog implements FoodCatalog {
  readonly #path: string;
  #current: MemoryCatalog;
  /** The state of the file that is served, or was refused. */
  #seen: string;
  #events: CatalogEvents | undefined;
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<void> | undefined;

  private constructor(path: string, current: MemoryCatalog, seen: string) {
    this.#path = path;
    this.#current = current;
    this.#seen = seen;
  }

  /** @throws UserError where the file is no usable index */
  static async open(path: string): Promise<LiveCatalog> {
    const seen = await stateOf(path);
    return new LiveCatalog(path, await MemoryCatalog.fromIndexFile(path), seen);
  }

  get dataSet(): DataSet {
    return this.#current.dataSet;
  }

  search(text: string): Buffer {
    return this.#current.search(text);
  }

  searchWords(text: string, names: OtherNames): WordsAnswer {
    return this.#current.searchWords(text, names);
  }

  portions(description: string): Buffer {
    return this.#current.portions(description);
  }

  records(): ReturnType<MemoryCatalog['records']> {
    return this.#current.records();
  }

  /** Looks at the file every second from now on. */
  watch(events: CatalogEvents): void {
    this.#events = events;
    this.#timer = setInterval(() => void this.#look(), LOOK_INTERVAL).unref();
  }

  /** Reads the file now, whether it has changed or not. */
  async reload(): Promise<void> {
    this.#seen = '';
    await this.#look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#loading;
    await this.#current.close();
  }

  /** Looks once at a time; the next look finds a change that comes meanwhile. */
  async #look(): Promise<void> {
    if (this.#loading !== undefined) return;
    const state = await stateOf(this.#path);
    // A missing file is about to be replaced, or no longer wanted; its data set stays.
    if (state === '' || state === this.#seen || this.#loading !== undefined) return;
    this.#seen = state;
    this.#loading = this.#swap();
    await this.#loading;
    this.#loading = undefined;
  }

  async #swap(): Promise<void> {
    try {
      this.#current = MemoryCatalog.ofIndex(await loadInThread(this.#path));
      this.#events?.replaced(this.#current.dataSet);
    } catch (error) {
      this.#events?.refused(
        error instanceof UserError ? error : new Error('the index cannot be read', { cause: error }),
      );
    }
  }
}

/** Differs where the file was replaced or changed; empty where there is none. */
async function stateOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs }) => `${dev} ${ino} ${size} ${mtimeNs}`,
    () => '',
  );
}
