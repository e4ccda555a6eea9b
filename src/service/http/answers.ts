/**
 * Answers to searches and look-ups: from the cache, or searched, compressed and tagged.
 *
 * Most texts are searched for once, so an answer is cached at the second search for its text. The cache belongs to one state of
 * the data set and is cleared when that changes.
 */
import type { IncomingMessage } from 'node:http';
import { renderWeighedFoods } from '#amounts';
import {
  ANSWERS_VERSION,
  type FoodCatalog,
  type FoundAnswer,
  furtherLanguage,
  hashOfText,
  type OtherNames,
  type WordsAnswer,
  wordHeaders,
} from '#core';
import { WORDS_IDENTITY, weighIn } from '../amounts/weighed-foods.ts';
import type { Metrics } from '../operations/metrics.ts';
import { type Endpoint, LOOKUP_KINDS, type LookupKind } from '../operations/outcomes.ts';
import { type Coding, type Compressed, codedTag, compressed, knownTag } from './coding.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { FrequentCache } from './frequent-cache.ts';
import type { SearchTurns } from './limits/search-turns.ts';
import { header, JSON_TYPE } from './responses.ts';

export interface Query {
  readonly request: IncomingMessage;
  readonly target: string;
  /** Not empty. */
  readonly text: string;
  readonly match: LookupKind;
  /** As the request names it; undefined if it names none, or if it means nothing to what is asked. */
  readonly lang: string | undefined;
}

export interface Answer {
  readonly match: LookupKind;
  /** `Matched-Words` and `Missing-Words` of a search by words; mostly empty. */
  readonly aboutWords: string;
  readonly body: Buffer;
  readonly etag: string;
  /** Those that describe the body, except its length. */
  readonly headers: string;
}

/** Bytes of an entry beside its body and its target, roughly. */
const ENTRY_OVERHEAD = 500;

/** Shorter bodies fit into one packet as they are. */
const LEAST_COMPRESSED = 1024;

/** Answers that may wait for a thread to compress them; further ones are sent plain, which takes less work. */
const MAX_COMPRESSING = 64;

type RawAnswer = Partial<WordsAnswer & FoundAnswer> & Pick<FoundAnswer, 'body'>;

export interface AnswerParts {
  readonly metrics: Metrics;
  readonly turns: SearchTurns;
}

export interface AnswerOptions {
  readonly endpoint: Endpoint;
  readonly crossOrigin: CrossOrigin;
  readonly otherNames: OtherNames;
  /** Bytes of the cache. */
  readonly cacheSize: number;
}

export class Answers {
  readonly #catalog: FoodCatalog;
  readonly #parts: AnswerParts;
  readonly #options: AnswerOptions;
  /** What tags contain beside data set and text: the version of the answers, the rule of origins, and the kind of answer. */
  readonly #rules: Readonly<Record<LookupKind, string>>;
  readonly #cache: FrequentCache<Answer>;
  /** Of the data set that the cache belongs to. */
  #identity: string;
  #compressing = 0;

  constructor(catalog: FoodCatalog, parts: AnswerParts, options: AnswerOptions) {
    const { crossOrigin, otherNames, cacheSize } = options;
    const { rule } = crossOrigin;
    this.#catalog = catalog;
    this.#parts = parts;
    this.#options = options;
    const text = `-${ANSWERS_VERSION}${rule === undefined ? '' : `-${hashOf(rule)}`}`;
    const rules = Object.fromEntries(LOOKUP_KINDS.map((kind) => [kind, `${text}-${kind}`]));
    const words = `${text}-words-${hashOf(otherNames.json)}`;
    const amounts = `${text}-amounts-${hashOf(otherNames.json)}-${hashOf(WORDS_IDENTITY)}`;
    this.#rules = { ...rules, text, words, amounts } as Record<LookupKind, string>;
    this.#cache = new FrequentCache(cacheSize, sizeOf);
    this.#identity = catalog.dataSet.identity;
  }

  cached(target: string, coding: Coding): Answer | undefined {
    const answer = this.#lookUp({ target }, coding);
    if (answer !== undefined) this.#parts.metrics.counts.answersCached++;
    return answer;
  }

  /** The tag of the current answer, plain or compressed, if the client has it. Needs no search. */
  unchanged(query: Query, ifNoneMatch: string, coding: Coding): string | undefined {
    const etag = this.#tagOf(this.#catalog.dataSet.identity, query);
    return knownTag(ifNoneMatch, etag, codedTag(etag, coding));
  }

  searched(query: Query, coding: Coding): Answer | Promise<Answer> {
    const { counts } = this.#parts.metrics;
    counts.answersSearched++;
    if (coding === 'identity') return this.#search(query);
    if (this.#compressing < MAX_COMPRESSING) return this.#compress(query, coding);
    counts.answersLeftPlain++;
    return this.#lookUp(query) ?? this.#search(query);
  }

  #lookUp(query: Pick<Query, 'target'>, coding: Coding = 'identity'): Answer | undefined {
    const { identity } = this.#catalog.dataSet;
    if (this.#identity !== identity) {
      this.#identity = identity;
      this.#cache.clear();
    }
    return this.#cache.get(cacheKeyOf(query, coding));
  }

  #search(query: Query): Answer | Promise<Answer> {
    if (query.match !== 'words') return this.#searchNow(query);
    // Once it is its turn, another request may have brought the answer.
    const search = () => this.#lookUp(query) ?? this.#searchNow(query);
    return this.#parts.turns.take(query.request, search);
  }

  #searchNow(query: Query): Answer | Promise<Answer> {
    const started = performance.now();
    const tagged = (found: Buffer | RawAnswer): Answer => {
      this.#parts.metrics.searches[query.match].observe((performance.now() - started) / 1000);
      return this.#tag(query, Buffer.isBuffer(found) ? { body: found } : found);
    };
    const found = this.#find(query);
    return found instanceof Promise ? found.then(tagged) : tagged(found);
  }

  #find(query: Query): Buffer | RawAnswer | Promise<RawAnswer> {
    const { text, match } = query;
    const language = this.#languageOf(query);
    if (match === 'words') return this.#catalog.searchWords(text, this.#options.otherNames, language);
    if (match === 'barcode') return this.#catalog.searchBarcode(text);
    return this.#options.endpoint.find?.(this.#catalog, text, language) ?? this.#weigh(query, language);
  }

  /** The further language of the data set that is meant. */
  #languageOf({ lang }: Query): string | undefined {
    return lang === undefined ? undefined : furtherLanguage(this.#catalog.dataSet, lang);
  }

  /** Each search for a line takes its own turn. */
  async #weigh({ text, request }: Query, language: string | undefined): Promise<RawAnswer> {
    const catalog = this.#catalog;
    const inTurn = (line: string) =>
      this.#parts.turns.take<WordsAnswer>(request, () =>
        catalog.searchWords(line, this.#options.otherNames, language),
      );
    const weighed = await weighIn(catalog, text, inTurn, language);
    return { body: Buffer.from(renderWeighedFoods(weighed)), identity: weighed.identity };
  }

  async #compress(query: Query, coding: Compressed): Promise<Answer> {
    const plain = this.#lookUp(query) ?? (await this.#search(query));
    if (plain.body.length < LEAST_COMPRESSED) return plain;
    this.#compressing++;
    const body = await compressed(plain.body, coding, 'answer').finally(() => this.#compressing--);
    const etag = codedTag(plain.etag, coding);
    const headers = plain.headers.replace(header('ETag', plain.etag), header('ETag', etag));
    const answer = { ...plain, body, etag, headers: header('Content-Encoding', coding) + headers };
    // Like the plain answer, unless the data set was replaced meanwhile.
    const isKept = this.#cache.has(cacheKeyOf(query, 'identity'));
    if (isKept && plain.etag === this.#tagOf(this.#identity, query)) this.#keep(query, coding, answer);
    return answer;
  }

  #tag(query: Query, found: RawAnswer): Answer {
    // That of the answer's own data set, which may have been replaced in the meantime.
    const { body, identity = this.#catalog.dataSet.identity } = found;
    const { target, match, lang } = query;
    const etag = this.#tagOf(identity, query);
    const language = lang && (this.#languageOf(query) ?? this.#catalog.dataSet.language);
    const inLanguage = language ? header('Content-Language', language) : '';
    const aboutWords = match === 'words' ? headersAbout(found) : '';
    const headers = inLanguage + header('Content-Type', JSON_TYPE) + aboutWords + header('ETag', etag);
    const answer = { match, aboutWords, body, etag, headers };
    // The cache holds answers of one data set only.
    if (identity === this.#identity && this.#cache.isRepeated(target)) this.#keep(query, 'identity', answer);
    return answer;
  }

  #tagOf(identity: string, query: Query): string {
    const { text, match } = query;
    const language = this.#languageOf(query);
    const inLanguage = language === undefined ? '' : `-${language}`;
    return `"${identity}${this.#rules[match]}${inLanguage}-${hashOf(text)}"`;
  }

  /** Caches a copy, because a body may be a small part of a large piece of memory. */
  #keep(query: Query, coding: Coding, answer: Answer): void {
    const body = Buffer.from(Uint8Array.from(answer.body).buffer);
    this.#cache.keep(cacheKeyOf(query, coding), { ...answer, body });
  }
}

const sizeOf = ({ body }: Answer, key: string): number => body.length + 2 * key.length + ENTRY_OVERHEAD;

/** The plain answer has the target itself: to join and hash another text takes as long as all else of a look-up. */
const cacheKeyOf = ({ target }: Pick<Query, 'target'>, coding: Coding): string =>
  coding === 'identity' ? target : coding + target;

/** Without the last bit: V8 formats numbers of 31 bits in half the time. */
const hashOf = (text: string): string => (hashOfText(text) >>> 1).toString(36);

const headersAbout = (found: Partial<WordsAnswer>): string =>
  Object.entries(wordHeaders(found))
    .map(([name, value]) => header(name, value))
    .join('');

/** Lets pages on the allowed origin read these. */
export const exposing = (lines: string): string =>
  lines && header('Access-Control-Expose-Headers', (lines.match(/^[\w-]+/gm) ?? []).join(', '));
