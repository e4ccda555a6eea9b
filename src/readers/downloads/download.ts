/**
 * Downloads one file into a cache folder: resumed after a break, checked for its length and SHA-256, through the
 * proxy in the usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Downloaded files stay there.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { onceFree } from '../../in-use.ts';
import { Cached, type Lock, lockFile, type Validators } from './cache.ts';
import { Failure, failureOf, faultOfStatus, isPassing, refusal, retryAfter, unwritable } from './faults.ts';
import { createAgent, followed } from './requests.ts';

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

export interface Downloaded {
  readonly file: string;
  /** For the report, such as that the copy in the cache could not be renewed. */
  readonly note?: string;
}

/** @throws UserError that names the address and what to do */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const cached = new Cached(options.folder, url);
  const { patience = PATIENCE } = options;
  const agent = createAgent(patience.stall);
  try {
    await mkdir(cached.folder, { recursive: true });
    const lock = await lockFile(cached.file, options);
    try {
      return await downloadWith({ url, cached, options, agent, lock, patience });
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw unwritable(cached.folder, error);
  } finally {
    await agent.destroy();
  }
}

/** A download under way. */
interface Job {
  readonly url: string;
  readonly cached: Cached;
  readonly options: DownloadOptions;
  readonly patience: Patience;
  readonly agent: Dispatcher;
  readonly lock: Lock;
}

async function downloadWith(job: Job): Promise<Downloaded> {
  const { url, cached, options, patience } = job;
  const { file } = cached;
  const isThere = await cached.isThere();
  if (isThere && (options.sha256 === undefined ? options.fixed : await isExpected(file, options)))
    return { file };
  let failures = 0;
  let most = 0;
  for (;;) {
    const before = await cached.partSize();
    most = Math.max(most, before);
    try {
      await attempt(job, before);
      return { file };
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      // Only bytes beyond all earlier attempts are progress: some servers start again each time.
      failures = (await cached.partSize()) > most ? 1 : failures + 1;
      const { message, again, pause } = failure;
      if (again && failures < patience.attempts && (pause ?? 0) <= patience.longestPause) {
        const ms = Math.min(pause ?? patience.firstPause * 2 ** (failures - 1), patience.longestPause);
        await sleep(ms, undefined, { signal: options.signal });
      } else if (isThere) {
        const note = `${url} could not be checked for a newer file (${message}): the copy in the cache was used`;
        return { file, note };
      } else throw refusal(url, again ? `${message}. Try again later: what has arrived is kept` : message);
    }
  }
}

/** Makes one request, and stores its body if it has one. */
async function attempt(job: Job, have: number): Promise<void> {
  const { url, cached, options, patience, agent } = job;
  const known = await cached.validators();
  // All of it had arrived when the last run ended.
  if (have > 0 && have === known.total) return finish(job);
  const { statusCode, headers, body } = await followed(url, {
    dispatcher: agent,
    headers: headersOf(have, known, options),
    headersTimeout: patience.stall,
    bodyTimeout: patience.stall,
    signal: options.signal ?? null,
  });
  const isPart = statusCode === 206;
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'] ?? '')) ?? [];
  const totalBytes = numberOf(isPart ? total : headers['content-length']);
  const isOther = isPart && (Number(start) !== have || (known.total ?? totalBytes) !== totalBytes);
  if (statusCode !== 200 && (!isPart || isOther)) abandon(body);
  if (statusCode === 304) return;
  if (statusCode === 416 || isOther) {
    await cached.discardPart();
    throw new Failure('the server does not continue the file, or has another one');
  }
  if (isPassing(statusCode)) {
    const pause = retryAfter(textOf(headers['retry-after']), new Date());
    throw new Failure(faultOfStatus(statusCode), { pause });
  }
  if (statusCode !== 200 && !isPart) throw refusal(url, faultOfStatus(statusCode));
  if (
    options.isPage !== true &&
    /^text\/html\b/i.test(String(headers['content-type'] ?? '')) &&
    !/\.html?$/i.test(new URL(url).pathname)
  ) {
    abandon(body);
    throw refusal(
      url,
      'the answer is a web page, not a data file. Check the address in a browser, or name another one with --url',
    );
  }
  if (!isPart) {
    const modified = textOf(headers['last-modified']);
    await cached.remember({ etag: textOf(headers.etag), modified, total: totalBytes });
  }
  await store(job, body, isPart ? have : 0, totalBytes);
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

/** Appends the body to the part, which becomes the file when it is complete. */
async function store(job: Job, body: Body, start: number, totalBytes: number | undefined): Promise<void> {
  let have = start;
  const handle = await open(job.cached.part, start > 0 ? 'a' : 'w');
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (job.lock.lost) throw refusal(job.url, 'another import has taken it over. Run this one again');
      await handle.writeFile(chunk);
      have += chunk.length;
      job.options.progress?.(have, totalBytes);
    }
  } finally {
    await handle.close();
  }
  if (totalBytes !== undefined && have !== totalBytes) {
    throw new Failure(`the file ended after ${have} of ${totalBytes} bytes`);
  }
  await finish(job);
}

/** Turns the complete part into the file. */
async function finish({ url, cached, options }: Job): Promise<void> {
  const { part, file } = cached;
  if (!(await isExpected(part, options))) {
    const found = await sha256Of(part);
    await cached.discardPart();
    throw refusal(
      url,
      `the SHA-256 of the file is ${found}, but ${options.sha256} is expected. It is damaged or another release; nothing was kept`,
    );
  }
  await onceFree(() => rename(part, file));
  const { modified } = await cached.validators();
  const date = new Date(modified ?? '');
  if (!Number.isNaN(date.getTime())) await utimes(file, date, date);
  await cached.markComplete();
}

/** Whether the file has the expected SHA-256, if there is one. */
const isExpected = async (file: string, { sha256 }: DownloadOptions): Promise<boolean> =>
  sha256 === undefined || (await sha256Of(file)) === sha256.toLowerCase();

type Body = Dispatcher.ResponseData['body'];

/** Closes the connection of an answer whose body is not needed. */
function abandon(body: Body): void {
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
