/**
 * Downloads one file into a cache folder: resumed after a break, checked for its length and SHA-256, through the
 * proxy in the usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Downloaded files stay there.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { shown, UserError } from '../../errors.ts';
import { onceFree } from '../../in-use.ts';
import { createAgent } from './agent.ts';
import { Cached, type Validators } from './cache.ts';
import { Failure, failureOf, faultOfStatus, isPassing, retryAfter, unwritable } from './faults.ts';
import { type Lock, lockFile } from './lock.ts';

export interface DownloadOptions {
  /** The cache folder; created if it does not exist. */
  readonly folder: string;
  /** Whether the file at the address never changes, so that a copy in the cache is used without asking the server. */
  readonly fixed: boolean;
  /** Whether the file is a web page; otherwise, a web page is a refusal instead of the file. */
  readonly isPage?: boolean;
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
const MAX_REDIRECTS = 10;

export interface Downloaded {
  readonly file: string;
  /** For the report, such as that the copy in the cache could not be renewed. */
  readonly note?: string;
}

/** @throws UserError that names the address and what to do */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const cached = new Cached(options.folder, url);
  const { stall } = options.patience ?? PATIENCE;
  const agent = createAgent(stall);
  try {
    await mkdir(cached.folder, { recursive: true });
    const lock = await lockFile(cached.file, options);
    try {
      return await new Download(url, cached, options, agent, lock).run();
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw unwritable(cached.folder, error);
  } finally {
    await agent.destroy();
  }
}

class Download {
  readonly #url: string;
  readonly #cached: Cached;
  readonly #options: DownloadOptions;
  readonly #patience: Patience;
  readonly #agent: Dispatcher;
  readonly #lock: Lock;

  constructor(url: string, cached: Cached, options: DownloadOptions, agent: Dispatcher, lock: Lock) {
    this.#url = url;
    this.#cached = cached;
    this.#options = options;
    this.#patience = options.patience ?? PATIENCE;
    this.#agent = agent;
    this.#lock = lock;
  }

  async run(): Promise<Downloaded> {
    const { file } = this.#cached;
    const present = await this.#cached.isThere();
    if (present && this.#options.sha256 !== undefined && (await sha256Of(file)) === this.#expected)
      return { file };
    if (present && this.#options.fixed && this.#options.sha256 === undefined) return { file };
    let failures = 0;
    let most = 0;
    for (;;) {
      const before = await this.#cached.partSize();
      most = Math.max(most, before);
      try {
        await this.#attempt(before);
        return { file };
      } catch (error) {
        this.#options.signal?.throwIfAborted();
        const failure = error instanceof Failure ? error : failureOf(error);
        if (failure === undefined) throw error;
        // Only bytes beyond all earlier attempts are progress: some servers start again each time.
        failures = (await this.#cached.partSize()) > most ? 1 : failures + 1;
        if (!failure.again || failures >= this.#patience.attempts || tooLong(failure, this.#patience)) {
          if (present)
            return {
              file,
              note: `${this.#url} could not be checked for a newer file (${failure.message}): the copy in the cache was used`,
            };
          throw this.#fail(
            failure.again ? `${failure.message}. Try again later: what has arrived is kept` : failure.message,
          );
        }
        const pause = failure.pause ?? this.#patience.firstPause * 2 ** (failures - 1);
        await sleep(Math.min(pause, this.#patience.longestPause), undefined, {
          signal: this.#options.signal,
        });
      }
    }
  }

  get #expected(): string | undefined {
    return this.#options.sha256?.toLowerCase();
  }

  #fail(reason: string): UserError {
    return new UserError(`Download of ${shown(this.#url)}: ${reason}.`);
  }

  /** Makes one request, and stores its body if it has one. */
  async #attempt(have: number): Promise<void> {
    const known = await this.#cached.validators();
    // All of it had arrived when the last run ended.
    if (have > 0 && have === known.total) return this.#finish();
    const answer = await this.#request(this.#headers(have, known));
    const { statusCode: status, headers, body } = answer;
    const length = numberOf(headers['content-length']);
    if (status === 304) {
      await body.dump();
      return;
    }
    if (status === 416) {
      await body.dump();
      await this.#cached.discardPart();
      throw new Failure('the server does not continue the file');
    }
    if (status !== 200 && status !== 206) {
      await body.dump();
      const fault = faultOfStatus(status);
      if (isPassing(status))
        throw new Failure(fault, { pause: retryAfter(textOf(headers['retry-after']), new Date()) });
      throw this.#fail(fault);
    }
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'] ?? '')) ?? [];
    const resumed = status === 206;
    const wrongPart =
      resumed && (Number(start) !== have || (known.total ?? numberOf(total)) !== numberOf(total));
    if (wrongPart) {
      abandon(body);
      await this.#cached.discardPart();
      throw new Failure('the server continues at another place, or another file');
    }
    if (
      this.#options.isPage !== true &&
      /^text\/html\b/i.test(String(headers['content-type'] ?? '')) &&
      !/\.html?$/i.test(new URL(this.#url).pathname)
    ) {
      abandon(body);
      throw this.#fail(
        'the answer is a web page, not a data file. Check the address in a browser, or name another one with --url',
      );
    }
    const totalBytes = resumed ? numberOf(total) : length;
    if (!resumed) {
      await this.#cached.remember({
        etag: textOf(headers.etag),
        modified: textOf(headers['last-modified']),
        total: totalBytes,
      });
    }
    await this.#store(body, resumed ? have : 0, totalBytes);
  }

  #headers(have: number, known: Validators): Record<string, string> {
    const headers: Record<string, string> = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity' };
    // A weak tag does not promise the same bytes.
    const tag = known.etag?.startsWith('W/') ? undefined : known.etag;
    const validator = tag ?? known.modified;
    if (have > 0 && validator !== undefined) {
      headers.range = `bytes=${have}-`;
      headers['if-range'] = validator;
    } else if (known.complete && this.#options.sha256 === undefined) {
      if (known.etag !== undefined) headers['if-none-match'] = known.etag;
      else if (known.modified !== undefined) headers['if-modified-since'] = known.modified;
    }
    return headers;
  }

  async #request(headers: Record<string, string>): Promise<Dispatcher.ResponseData> {
    let url = new URL(this.#url);
    for (let i = 0; i <= MAX_REDIRECTS; i++) {
      const answer = await request(url, {
        dispatcher: this.#agent,
        headers,
        headersTimeout: this.#patience.stall,
        bodyTimeout: this.#patience.stall,
        signal: this.#options.signal ?? null,
      });
      const location = textOf(answer.headers.location);
      if (![301, 302, 303, 307, 308].includes(answer.statusCode) || location === undefined) return answer;
      await answer.body.dump();
      if (!URL.canParse(location, url.href))
        throw this.#fail(`it is moved to ${shown(location)}, which is no address`);
      const next = new URL(location, url);
      if (!/^https?:$/.test(next.protocol) || (url.protocol === 'https:' && next.protocol === 'http:')) {
        throw this.#fail(`it is moved to ${shown(next.href)}, which is not safe to follow`);
      }
      url = next;
    }
    throw this.#fail(`it is moved more than ${MAX_REDIRECTS} times. Take another address with --url`);
  }

  /** Appends the body to the part, which becomes the file when it is complete. */
  async #store(
    body: Dispatcher.ResponseData['body'],
    start: number,
    totalBytes: number | undefined,
  ): Promise<void> {
    const { part } = this.#cached;
    let have = start;
    const handle = await open(part, start > 0 ? 'a' : 'w');
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (this.#lock.lost) throw this.#fail('another import has taken it over. Run this one again');
        await handle.writeFile(chunk);
        have += chunk.length;
        this.#options.progress?.(have, totalBytes);
      }
    } finally {
      await handle.close();
    }
    if (totalBytes !== undefined && have !== totalBytes) {
      throw new Failure(`the file ended after ${have} of ${totalBytes} bytes`);
    }
    await this.#finish();
  }

  /** Turns the complete part into the file. */
  async #finish(): Promise<void> {
    const { part, file } = this.#cached;
    const found = this.#expected === undefined ? undefined : await sha256Of(part);
    if (found !== this.#expected) {
      await this.#cached.discardPart();
      throw this.#fail(
        `the SHA-256 of the file is ${found}, but ${this.#expected} is expected. It is damaged or another release; nothing was kept`,
      );
    }
    await onceFree(() => rename(part, file));
    const { modified } = await this.#cached.validators();
    const date = new Date(modified ?? '');
    if (!Number.isNaN(date.getTime())) await utimes(file, date, date);
    await this.#cached.markComplete();
  }
}

/** Whether the server asks for a longer pause than allowed. */
const tooLong = ({ pause = 0 }: Failure, { longestPause }: Patience): boolean => pause > longestPause;

/** Closes the connection of an answer whose body is not needed. */
function abandon(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function numberOf(header: string | string[] | undefined): number | undefined {
  const text = textOf(header) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
