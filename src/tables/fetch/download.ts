/**
 * Downloads one file into a cache folder, and resumes after a break. The retries are not those of undici: it resumes only within
 * a process, counts attempts that brought something, and fails permanently where a server starts again.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import type { Dispatcher } from 'undici';
import { onceFree, systemCode } from '#core';
import {
  createAgent,
  FailedFetch,
  failedFetch,
  faultOfStatus,
  followed,
  isPassing,
  refusal,
  retryAfter,
  unwritable,
} from './requests.ts';

export interface DownloadOptions {
  readonly folder: string;
  /** Whether the file at the address never changes, so that a copy in the cache is used without asking the server. */
  readonly fixed: boolean;
  readonly sha256?: string | undefined;
  readonly progress?: (bytes: number, totalBytes: number | undefined) => void;
  readonly waiting?: () => void;
  readonly patience?: typeof FETCH_PATIENCE;
}

/** Waiting times, in ms. */
const FETCH_PATIENCE = {
  /** For the next byte. */
  stall: 30_000,
  /** Before the first new attempt; twice as long before each further one. */
  firstPause: 1000,
  /** Even if the server asks for a longer one. */
  longestPause: 300_000,
  /** Consecutive attempts without a new byte. */
  attempts: 6,
};

const USER_AGENT = 'food-lookup (self-hosted food search; import of open data sets)';

interface Fetch extends DownloadOptions {
  readonly url: string;
  readonly entry: CacheEntry;
  readonly agent: Dispatcher;
  readonly patience: typeof FETCH_PATIENCE;
  readonly signal: AbortSignal;
}

/** The file in the cache, and a note for the report if it could not be renewed. @throws UserError */
export async function download(url: string, options: DownloadOptions) {
  const { patience = FETCH_PATIENCE } = options;
  const entry = cacheEntry(options.folder, url);
  const agent = createAgent(patience.stall);
  const taken = new AbortController();
  try {
    await mkdir(entry.folder, { recursive: true });
    const unlock = await lockFile(entry.file, options.waiting, () =>
      taken.abort(refusal(url, 'another import has taken it over. Run this one again')),
    );
    try {
      return await fetchFile({ ...options, url, entry, agent, patience, signal: taken.signal });
    } finally {
      await unlock();
    }
  } catch (error) {
    throw unwritable(entry.folder, error);
  } finally {
    await agent.destroy();
  }
}

async function fetchFile(job: Fetch) {
  const { url, sha256, fixed, signal, patience } = job;
  const { file, part } = job.entry;
  const isThere = (await sizeOf(file)) !== undefined;
  if (isThere && (sha256 === undefined ? fixed : (await sha256Of(file)) === sha256.toLowerCase()))
    return { file };
  const { attempts, firstPause, longestPause } = patience;
  let failures = 0;
  let most = 0;
  for (;;) {
    const have = (await sizeOf(part)) ?? 0;
    most = Math.max(most, have);
    try {
      await attempt(have, job);
      return { file };
    } catch (error) {
      signal.throwIfAborted();
      const failure = failedFetch(error);
      if (failure === undefined) throw error;
      // Only bytes beyond all earlier attempts are progress: some servers start again each time.
      failures = ((await sizeOf(part)) ?? 0) > most ? 1 : failures + 1;
      const { message, again, pause = Math.min(firstPause * 2 ** (failures - 1), longestPause) } = failure;
      if (again && failures < attempts && pause <= longestPause) await sleep(pause, undefined, { signal });
      else if (!isThere)
        throw refusal(url, again ? `${message}. Try again later: what has arrived is kept` : message);
      else
        return {
          file,
          note: `${url} could not be checked for a newer file (${message}): the copy in the cache was used`,
        };
    }
  }
}

async function attempt(have: number, job: Fetch): Promise<void> {
  const { url, entry, patience, agent: dispatcher, signal } = job;
  const known = await validatorsOf(entry);
  // All of it had arrived when the last run ended.
  if (have > 0 && have === known.total) return finish(job);
  const { statusCode, headers, body } = await followed(url, {
    dispatcher,
    headers: headersOf(have, known, job),
    headersTimeout: patience.stall,
    bodyTimeout: patience.stall,
    signal,
  });
  const header = (name: string): string | undefined => [headers[name] ?? []].flat()[0];
  const isPart = statusCode === 206;
  const [, start, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? [];
  const totalBytes = numberOf(isPart ? whole : header('content-length'));
  const isOther = isPart && (Number(start) !== have || (known.total ?? totalBytes) !== totalBytes);
  try {
    if (statusCode === 304) return;
    if (statusCode === 416 || isOther) {
      await rm(entry.part, { force: true });
      throw new FailedFetch('the server does not continue the file, or has another one');
    }
    if (isPassing(statusCode))
      throw Object.assign(new FailedFetch(faultOfStatus(statusCode)), {
        pause: retryAfter(header('retry-after')),
      });
    if (statusCode !== 200 && !isPart) throw refusal(url, faultOfStatus(statusCode));
    if (/^text\/html\b/i.test(header('content-type') ?? '') && !/\.html?$/i.test(new URL(url).pathname))
      throw refusal(
        url,
        'the answer is a web page, not a data file. Check the address in a browser, or name another one with --url',
      );
    if (!isPart)
      await remember(entry, { etag: header('etag'), modified: header('last-modified'), total: totalBytes });
    await store(body, isPart ? have : 0, totalBytes, job);
  } finally {
    // Closes the connection of an answer whose body is not needed.
    body.on('error', () => {}).destroy();
  }
}

/** Appends the body to the part, which becomes the file when it is complete. */
async function store(body: AsyncIterable<Buffer>, start: number, totalBytes: number | undefined, job: Fetch) {
  let have = start;
  const handle = await open(job.entry.part, start > 0 ? 'a' : 'w');
  try {
    for await (const chunk of body) {
      job.signal.throwIfAborted();
      await handle.writeFile(chunk);
      have += chunk.length;
      job.progress?.(have, totalBytes);
    }
  } finally {
    await handle.close();
  }
  if (totalBytes !== undefined && have !== totalBytes)
    throw new FailedFetch(`the file ended after ${have} of ${totalBytes} bytes`);
  await finish(job);
}

async function finish({ url, entry, sha256 }: Fetch): Promise<void> {
  const { part, file } = entry;
  const found = sha256 === undefined ? undefined : await sha256Of(part);
  if (found !== sha256?.toLowerCase()) {
    await rm(part, { force: true });
    throw refusal(
      url,
      `the SHA-256 of the file is ${found}, but ${sha256} is expected. It is damaged or another release; nothing was kept`,
    );
  }
  await onceFree(() => rename(part, file));
  const known = await validatorsOf(entry);
  const date = new Date(known.modified ?? '');
  if (!Number.isNaN(date.getTime())) await utimes(file, date, date);
  await remember(entry, { ...known, complete: true });
}

function headersOf(have: number, known: Validators, { sha256 }: Fetch): Record<string, string> {
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

interface Validators {
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
  readonly total?: number | undefined;
  readonly complete?: boolean | undefined;
}

type CacheEntry = ReturnType<typeof cacheEntry>;

function cacheEntry(cache: string, url: string) {
  const folder = join(cache, createHash('sha256').update(url).digest('hex').slice(0, 16));
  const name = basename(new URL(url).pathname).replace(/[^\w.+-]+/g, '_');
  const file = join(folder, name === '' || name === '.' || name === '..' ? 'data' : name);
  return { folder, file, part: `${file}.part`, memory: `${file}.json` };
}

async function validatorsOf({ memory }: CacheEntry): Promise<Validators> {
  try {
    return JSON.parse(await readFile(memory, 'utf8')) as Validators;
  } catch {
    // Absent, or truncated by a crash: the file is downloaded from its beginning.
    return {};
  }
}

const remember = ({ memory }: CacheEntry, validators: Validators): Promise<void> =>
  writeFile(memory, JSON.stringify(validators));

const sizeOf = async (file: string): Promise<number | undefined> =>
  (await stat(file).catch(() => undefined))?.size;

/** ms without renewal after which a lock belongs to a process that has ended. */
const STALE = 10_000;
/** ms between two looks at a lock that another process holds. */
const LOCK_INTERVAL = 250;

/** Waits for the lock, and returns what releases it. @param lost called if another takes it while this one is suspended */
async function lockFile(
  file: string,
  waiting: (() => void) | undefined,
  lost: () => void,
): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const unlock = await lock(file, { realpath: false, stale: STALE, onCompromised: lost });
      // A lost lock belongs to another process.
      return () => unlock().catch(() => {});
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
    }
    waiting?.();
    await sleep(LOCK_INTERVAL);
  }
}
