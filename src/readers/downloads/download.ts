/**
 * Downloads one file into a cache folder: resumed after a break, even in a later run, checked for its length and SHA-256,
 * through the proxy in the usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Downloaded files stay there. The retries are
 * not those of undici: it resumes only within a process, counts attempts that brought something, and fails for good where a
 * server starts again.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { UserError } from '../../system/errors.ts';
import { onceFree } from '../../system/paths.ts';
import { Cached, type Lock, lockFile, sizeOf, type Validators } from './cache.ts';
import { Failure, failureOf, faultOfStatus, isPassing, refusal, retryAfter, unwritable } from './faults.ts';
import { createAgent, followed } from './requests.ts';

export interface DownloadOptions {
  /** The cache folder; created if it does not exist. */
  readonly folder: string;
  /** Whether the file at the address never changes, so that a copy in the cache is used without asking the server. */
  readonly fixed: boolean;
  /** The expected SHA-256, as 64 hexadecimal digits. */
  readonly sha256?: string | undefined;
  readonly progress?: (bytes: number, totalBytes: number | undefined) => void;
  /** Called repeatedly while another process downloads the same file. */
  readonly waiting?: () => void;
  readonly signal?: AbortSignal | undefined;
  readonly patience?: Patience;
}

/** Waiting times, in milliseconds. */
export interface Patience {
  /** For the next byte. */
  readonly stall: number;
  /** Before the first new attempt; twice as long before each further one. */
  readonly firstPause: number;
  /** The longest pause before a new attempt, even if the server asks for a longer one. */
  readonly longestPause: number;
  /** Consecutive attempts without a new byte. */
  readonly attempts: number;
}

const PATIENCE: Patience = { stall: 30_000, firstPause: 1000, longestPause: 300_000, attempts: 6 };

const USER_AGENT = 'food-lookup (self-hosted food search; import of open data sets)';

export interface Downloaded {
  readonly file: string;
  /** For the report, such as that the copy in the cache could not be renewed. */
  readonly note?: string;
}

/** @throws UserError that names the address and what to do */
export const download = (url: string, options: DownloadOptions): Promise<Downloaded> =>
  new Download(url, options).run();

class Download {
  readonly #url: string;
  readonly #options: DownloadOptions;
  readonly #patience: Patience;
  readonly #cached: Cached;
  readonly #agent: Dispatcher;

  constructor(url: string, options: DownloadOptions) {
    this.#url = url;
    this.#options = options;
    this.#patience = options.patience ?? PATIENCE;
    this.#cached = new Cached(options.folder, url);
    this.#agent = createAgent(this.#patience.stall);
  }

  async run(): Promise<Downloaded> {
    try {
      await mkdir(this.#cached.folder, { recursive: true });
      const lock = await lockFile(this.#cached.file, this.#options);
      try {
        return await this.#runLocked(lock);
      } finally {
        await lock.release();
      }
    } catch (error) {
      throw unwritable(this.#cached.folder, error);
    } finally {
      await this.#agent.destroy();
    }
  }

  async #runLocked(lock: Lock): Promise<Downloaded> {
    const { file, part } = this.#cached;
    const { sha256, fixed, signal } = this.#options;
    const isThere = (await sizeOf(file)) !== undefined;
    if (isThere && (sha256 === undefined ? fixed : await this.#isExpected(file))) return { file };
    const { attempts, firstPause, longestPause } = this.#patience;
    let failures = 0;
    let most = 0;
    for (;;) {
      const have = (await sizeOf(part)) ?? 0;
      most = Math.max(most, have);
      try {
        await this.#attempt(have, lock);
        return { file };
      } catch (error) {
        signal?.throwIfAborted();
        const failure = failureOf(error);
        if (failure === undefined) throw error;
        // Only bytes beyond all earlier attempts are progress: some servers start again each time.
        failures = ((await sizeOf(part)) ?? 0) > most ? 1 : failures + 1;
        const { message, again, pause = Math.min(firstPause * 2 ** (failures - 1), longestPause) } = failure;
        if (again && failures < attempts && pause <= longestPause) await sleep(pause, undefined, { signal });
        else if (isThere) {
          const note = `${this.#url} could not be checked for a newer file (${message}): the copy in the cache was used`;
          return { file, note };
        } else throw this.#refusal(again ? `${message}. Try again later: what has arrived is kept` : message);
      }
    }
  }

  /** Makes one request, and stores its body if it has one. @param have bytes that have arrived before */
  async #attempt(have: number, lock: Lock): Promise<void> {
    const known = await this.#cached.validators();
    // All of it had arrived when the last run ended.
    if (have > 0 && have === known.total) return this.#finish();
    const { statusCode, headers, body } = await followed(this.#url, {
      dispatcher: this.#agent,
      headers: headersOf(have, known, this.#options),
      headersTimeout: this.#patience.stall,
      bodyTimeout: this.#patience.stall,
      signal: this.#options.signal ?? null,
    });
    const header = (name: string): string | undefined => [headers[name] ?? []].flat()[0];
    const isPart = statusCode === 206;
    const [, start, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? [];
    const totalBytes = numberOf(isPart ? whole : header('content-length'));
    const isOther = isPart && (Number(start) !== have || (known.total ?? totalBytes) !== totalBytes);
    try {
      if (statusCode === 304) return;
      if (statusCode === 416 || isOther) {
        await rm(this.#cached.part, { force: true });
        throw new Failure('the server does not continue the file, or has another one');
      }
      if (isPassing(statusCode)) {
        const pause = retryAfter(header('retry-after'));
        throw new Failure(faultOfStatus(statusCode), { pause });
      }
      if (statusCode !== 200 && !isPart) throw this.#refusal(faultOfStatus(statusCode));
      if (
        /^text\/html\b/i.test(header('content-type') ?? '') &&
        !/\.html?$/i.test(new URL(this.#url).pathname)
      )
        throw this.#refusal(
          'the answer is a web page, not a data file. Check the address in a browser, or name another one with --url',
        );
      if (!isPart) {
        const [etag, modified] = [header('etag'), header('last-modified')];
        await this.#cached.remember({ etag, modified, total: totalBytes });
      }
      await this.#store(body, isPart ? have : 0, totalBytes, lock);
    } finally {
      // Closes the connection of an answer whose body is not needed.
      body.on('error', () => {}).destroy();
    }
  }

  /** Appends the body to the part, which becomes the file when it is complete. */
  async #store(
    body: AsyncIterable<Buffer>,
    start: number,
    totalBytes: number | undefined,
    lock: Lock,
  ): Promise<void> {
    let have = start;
    const handle = await open(this.#cached.part, start > 0 ? 'a' : 'w');
    try {
      for await (const chunk of body) {
        if (lock.lost) throw this.#refusal('another import has taken it over. Run this one again');
        await handle.writeFile(chunk);
        have += chunk.length;
        this.#options.progress?.(have, totalBytes);
      }
    } finally {
      await handle.close();
    }
    if (totalBytes !== undefined && have !== totalBytes)
      throw new Failure(`the file ended after ${have} of ${totalBytes} bytes`);
    await this.#finish();
  }

  /** Turns the complete part into the file. */
  async #finish(): Promise<void> {
    const { part, file } = this.#cached;
    if (!(await this.#isExpected(part))) {
      const found = await sha256Of(part);
      await rm(this.#cached.part, { force: true });
      throw this.#refusal(
        `the SHA-256 of the file is ${found}, but ${this.#options.sha256} is expected. It is damaged or another release; nothing was kept`,
      );
    }
    await onceFree(() => rename(part, file));
    const known = await this.#cached.validators();
    const date = new Date(known.modified ?? '');
    if (!Number.isNaN(date.getTime())) await utimes(file, date, date);
    await this.#cached.remember({ ...known, complete: true });
  }

  /** Whether the file has the expected SHA-256, if there is one. */
  async #isExpected(file: string): Promise<boolean> {
    const { sha256 } = this.#options;
    return sha256 === undefined || (await sha256Of(file)) === sha256.toLowerCase();
  }

  #refusal(reason: string): UserError {
    return refusal(this.#url, reason);
  }
}

function headersOf(have: number, known: Validators, { sha256 }: DownloadOptions): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity' };
  // A weak tag does not promise the same bytes.
  const tag = known.etag?.startsWith('W/') ? undefined : known.etag;
  const validator = tag ?? known.modified;
  if (have > 0 && validator !== undefined) {
    headers.range = `bytes=${have}-`;
    headers['if-range'] = validator;
  } else if (known.complete && sha256 === undefined) {
    if (known.etag !== undefined) headers['if-none-match'] = known.etag;
    else if (known.modified !== undefined) headers['if-modified-since'] = known.modified;
  }
  return headers;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

const numberOf = (text = ''): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);
