/**
 * Answers to searches and to lookups of portions: from the cache, or searched, compressed and tagged. The cache is bounded in bytes
 * and contains plain and compressed answers.
 *
 * Most texts are searched for once, so an answer is cached at the second search for its text, and while the cache is full, only
 * in place of answers that are requested less often. The cache belongs to one state of the data set and is cleared when that
 * changes.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  ANSWERS_VERSION,
  type FoodCatalog,
  type FoundAnswer,
  type OtherNames,
  type WordsAnswer,
} from '../foods/catalog.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Match } from '../operations/outcomes.ts';
import { hashOfText } from '../text/fnv.ts';
import type { Coding } from './food-request.ts';
import { FrequentCache } from './frequent-cache.ts';
import { header, JSON_TYPE } from './responses.ts';

export interface Query {
  readonly target: string;
  /** Not empty. */
  readonly text: string;
  readonly match: Match;
}

export interface Answer {
  readonly match: Match;
  /** `Matched-Words` and `Missing-Words` of a search by words; mostly empty. */
  readonly aboutWords: string;
  /** Lets pages on the allowed origin read these. */
  readonly exposed: string;
  readonly body: Buffer;
  readonly etag: string;
  /** Those that describe the body, except its length. */
  readonly headers: string;
}

/**
 * Bytes of these headers at most. nginx by default answers 502 if all headers of an answer take more than 4 kB; the others take
 * less than 1 kB.
 */
const MAX_MATCHED_WORDS = 2048;
const MAX_MISSING_WORDS = 512;

/** Bytes of an entry in addition to its body and its target, roughly: objects and headers. */
const ENTRY_OVERHEAD = 500;

/** Shorter bodies fit into one packet as they are. */
const LEAST_COMPRESSED = 1024;

/** Quality 4 and level 6 take about 0.2 ms for an answer of 10 KB; more would save 5 % of it. */
const COMPRESS: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => promisify(gzip)(body),
};

/** Answers that may wait for a thread to compress them; further ones are sent plain, which takes less work. */
const MAX_COMPRESSING = 64;

/** What a catalog finds; a search by words also tells about them. */
type Found = Partial<WordsAnswer & FoundAnswer> & Pick<FoundAnswer, 'body'>;

/** Runs a search now or when it is its turn. */
type Schedule = (search: () => Answer | Promise<Answer>) => Answer | Promise<Answer>;

interface AnswerSettings {
  /** That of origins. */
  readonly rule: string | undefined;
  readonly otherNames: OtherNames;
  /** Bytes of the cache. */
  readonly cacheSize: number;
}

export class Answers {
  readonly #catalog: FoodCatalog;
  readonly #metrics: Metrics;
  readonly #otherNames: OtherNames;
  /** The part of all tags for the version of the answers and the rule of origins, and those of each kind of answer. */
  readonly #rulesTag: string;
  readonly #kindTags: Readonly<Record<Match, string>>;
  readonly #cache: FrequentCache<Answer>;
  /** Of the data set that the cache belongs to. */
  #identity: string;
  #compressing = 0;

  constructor(catalog: FoodCatalog, metrics: Metrics, { rule, otherNames, cacheSize }: AnswerSettings) {
    this.#catalog = catalog;
    this.#metrics = metrics;
    this.#otherNames = otherNames;
    this.#rulesTag = `-${ANSWERS_VERSION}${rule === undefined ? '' : `-${hashOf(rule).toString(36)}`}`;
    const words = `-words-${hashOf(otherNames.identity).toString(36)}`;
    this.#kindTags = { text: '', words, portions: '-portions' };
    this.#cache = new FrequentCache(cacheSize);
    this.#identity = catalog.dataSet.identity;
  }

  /** The cached answer to a request target, which need not be decoded. */
  cached(target: string, coding: Coding | undefined): Answer | undefined {
    const answer = this.#lookUp(keyOf(target, coding));
    if (answer !== undefined) this.#metrics.counts.answersCached++;
    return answer;
  }

  /** The tag of the current answer, plain or compressed, if it is among those that the client has. Needs no search. */
  unchanged(query: Query, tags: readonly string[], coding: Coding | undefined): string | undefined {
    const etag = this.#tagOf(this.#catalog.dataSet.identity, query);
    if (tags.includes('*') || tags.includes(etag)) return etag;
    const compressed = coding === undefined ? etag : compressedTagOf(etag, coding);
    return tags.includes(compressed) ? compressed : undefined;
  }

  /** The answer from a search; compressed if the client accepts a coding and compressing pays. */
  searched(query: Query, coding: Coding | undefined, schedule?: Schedule): Answer | Promise<Answer> {
    this.#metrics.counts.answersSearched++;
    if (coding === undefined) return this.#search(query, schedule);
    if (this.#compressing < MAX_COMPRESSING) return this.#compress(query, coding, schedule);
    this.#metrics.counts.answersLeftPlain++;
    return this.#lookUp(query.target) ?? this.#search(query, schedule);
  }

  #lookUp(key: string): Answer | undefined {
    const { identity } = this.#catalog.dataSet;
    if (this.#identity !== identity) {
      this.#identity = identity;
      this.#cache.clear();
    }
    return this.#cache.get(key);
  }

  #search(query: Query, schedule?: Schedule): Answer | Promise<Answer> {
    if (schedule === undefined) return this.#searchNow(query);
    // Once it is its turn, another request may have brought the answer.
    return schedule(() => this.#lookUp(query.target) ?? this.#searchNow(query));
  }

  #searchNow(query: Query): Answer | Promise<Answer> {
    const started = performance.now();
    const tagged = (found: Buffer | Found): Answer => {
      this.#metrics.searches[query.match].record(performance.now() - started);
      return this.#tag(query, Buffer.isBuffer(found) ? { body: found } : found);
    };
    const found = this.#find(query);
    return found instanceof Promise ? found.then(tagged) : tagged(found);
  }

  #find({ text, match }: Query): Buffer | Found | Promise<Found> {
    if (match === 'words') return this.#catalog.searchWords(text, this.#otherNames);
    return match === 'text' ? this.#catalog.search(text) : this.#catalog.portions(text);
  }

  async #compress(query: Query, coding: Coding, schedule?: Schedule): Promise<Answer> {
    const plain = this.#lookUp(query.target) ?? (await this.#search(query, schedule));
    if (plain.body.length < LEAST_COMPRESSED) return plain;
    this.#compressing++;
    const body = await COMPRESS[coding](plain.body).finally(() => this.#compressing--);
    const etag = compressedTagOf(plain.etag, coding);
    const headers = headersOf(etag, plain.aboutWords, coding);
    const answer = { ...plain, body, etag, headers };
    // Cached at its first request, because compressing took more work than a search, unless the data set was replaced meanwhile.
    if (plain.etag === this.#tagOf(this.#identity, query))
      this.#keep(keyOf(query.target, coding), query, answer);
    return answer;
  }

  #tag(query: Query, found: Found): Answer {
    // That of the answer's own data set, which may have been replaced in the meantime.
    const { body, identity = this.#catalog.dataSet.identity } = found;
    const { target, match } = query;
    const etag = this.#tagOf(identity, query);
    const aboutWords = match === 'words' ? headersAbout(found) : '';
    const headers = headersOf(etag, aboutWords);
    const answer = { match, aboutWords, exposed: exposing(aboutWords), body, etag, headers };
    // The cache holds answers of one data set only.
    if (identity === this.#identity && this.#cache.missed(frequencyKeyOf(query)) > 1)
      this.#keep(target, query, answer);
    return answer;
  }

  #tagOf(identity: string, { text, match }: Query): string {
    return `"${identity}${this.#rulesTag}${this.#kindTags[match]}-${hashOf(text).toString(36)}"`;
  }

  /** Caches a copy, because a body may be a small part of a large piece of memory. */
  #keep(key: string, query: Query, answer: Answer): void {
    const { body } = answer;
    const size = body.length + 2 * key.length + ENTRY_OVERHEAD;
    this.#cache.offer(key, frequencyKeyOf(query), size, () => ({
      ...answer,
      body: Buffer.from(Uint8Array.from(body).buffer),
    }));
  }
}

function headersOf(etag: string, aboutWords: string, coding?: Coding): string {
  const encoding = coding === undefined ? '' : header('Content-Encoding', coding);
  return header('Content-Type', JSON_TYPE) + encoding + aboutWords + header('ETag', etag);
}

const keyOf = (target: string, coding: Coding | undefined): string =>
  coding === undefined ? target : `${coding} ${target}`;

const compressedTagOf = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** Without the last bit: V8 formats numbers of 31 bits in half the time. */
const hashOf = (text: string): number => hashOfText(text) >>> 1;

/** A search by words counts as another text. The hash has 31 bits. */
const frequencyKeyOf = ({ text, match }: Query): number =>
  match === 'words' ? ~hashOf(text) >>> 1 : hashOf(text);

/** `Matched-Words` has pairs `typed=searched`, and `Missing-Words` words; both are percent-encoded. */
function headersAbout({ replaced = [], missing = [] }: Partial<WordsAnswer>): string {
  const pairs = replaced.map(({ typed, searched }) => [typed, searched].map(encodeURIComponent).join('='));
  return (
    listHeader('Matched-Words', pairs, MAX_MATCHED_WORDS) +
    listHeader('Missing-Words', missing.map(encodeURIComponent), MAX_MISSING_WORDS)
  );
}

/** A header with the first elements that fit, and a comma between two. */
function listHeader(name: string, elements: readonly string[], most: number): string {
  let value = '';
  for (const element of elements) {
    const longer = value === '' ? element : `${value}, ${element}`;
    if (longer.length > most) break;
    value = longer;
  }
  return value && header(name, value);
}

const exposing = (lines: string): string =>
  lines && header('Access-Control-Expose-Headers', (lines.match(/^[\w-]+/gm) ?? []).join(', '));
