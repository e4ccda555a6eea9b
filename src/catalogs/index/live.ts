/**
 * An index file that is served while it may be replaced: the new one is read and checked beside the old one,
 * then takes its place between two requests. A file that cannot be used is refused, and the old data stays.
 */
import { stat } from 'node:fs/promises';
import type { DataSet, FoodCatalog } from '../../catalog.ts';
import { UserError } from '../../errors.ts';
import { loadInThread } from './load-index.ts';
import { MemoryCatalog } from './memory.ts';

/** ms between two looks at the file. */
const LOOK_INTERVAL = 1000;

/** Told to whoever runs the service. */
export interface SwapEvents {
  swapped(dataSet: DataSet): void;
  /** The old data set goes on answering. */
  refused(error: Error): void;
}

export class LiveCatalog implements FoodCatalog {
  readonly #path: string;
  #current: MemoryCatalog;
  /** Which state of the file is served, or was refused. */
  #seen: string;
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

  records(): ReturnType<MemoryCatalog['records']> {
    return this.#current.records();
  }

  /** Looks at the file every second from now on. */
  watch(events: SwapEvents): void {
    this.#timer = setInterval(() => void this.#look(events), LOOK_INTERVAL).unref();
  }

  /** Reads the file now, whether it has changed or not. */
  async reload(events: SwapEvents): Promise<void> {
    this.#seen = '';
    await this.#look(events);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#loading;
    await this.#current.close();
  }

  /** One look at a time; a change that comes meanwhile is met by the next. */
  async #look(events: SwapEvents): Promise<void> {
    if (this.#loading !== undefined) return;
    const state = await stateOf(this.#path);
    // A file that is gone for the moment is about to be replaced, or was served to its end.
    if (state === '' || state === this.#seen || this.#loading !== undefined) return;
    this.#seen = state;
    this.#loading = this.#swap(events);
    await this.#loading;
    this.#loading = undefined;
  }

  async #swap(events: SwapEvents): Promise<void> {
    try {
      this.#current = MemoryCatalog.ofIndex(await loadInThread(this.#path));
      events.swapped(this.#current.dataSet);
    } catch (error) {
      events.refused(
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
