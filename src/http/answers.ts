/**
 * Answers kept for texts that are asked for again, plain and compressed, bounded in bytes.
 *
 * Most texts are asked for once, so a text is kept from its second request on. What is kept belongs to one
 * state of the data set: where that changes, everything is dropped.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ANSWERS_VERSION, type FoodCatalog, type FoundAnswer } from '../catalog.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Coding } from './content-coding.ts';

export interface Answer {
  readonly body: Buffer;
  /** Undefined: the body is plain. */
  readonly coding: Coding | undefined;
  readonly etag: string;
  /** All headers that do not depend on the request, names and values by turns; made once for each answer. */
  readonly headers: readonly string[];
}

/** Makes the headers of an answer. */
export type HeadersOf = (answer: Omit<Answer, 'headers'>) => readonly string[];

/** Bytes of all that is kept. */
const MAX_BYTES = 32 * 1024 * 1024;

/** What an entry takes beside its body and its target, roughly: objects and headers. */
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

/** Answers that may wait for a thread that compresses; further ones are sent plain, which takes less work. */
const MAX_COMPRESSING = 64;

/** Hashes of texts that were asked for once; a later text may overwrite an earlier one. */
const REMEMBERED = 1 << 16;

export class AnswerCache {
  readonly #catalog: FoodCatalog;
  readonly #metrics: Metrics;
  readonly #headersOf: HeadersOf;
  readonly #kept = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, target) => body.length + 2 * target.length + ENTRY_OVERHEAD,
  });
  readonly #askedOnce = new Uint32Array(REMEMBERED);
  #identity: string;
  #compressing = 0;

  constructor(catalog: FoodCatalog, metrics: Metrics, headersOf: HeadersOf) {
    this.#catalog = catalog;
    this.#metrics = metrics;
    this.#headersOf = headersOf;
    this.#identity = catalog.dataSet.identity;
  }

  /** The tag of the plain answer to a text; that of a compressed one ends in `-br` or `-gzip`. */
  etag(text: string): string {
    return tagFor(this.#catalog.dataSet.identity, hashOf(text));
  }

  /** The answer that is kept for a request target, so that a known one is not even decoded. */
  kept(target: string, coding: Coding | undefined): Answer | undefined {
    if (this.#identity !== this.#catalog.dataSet.identity) {
      this.#identity = this.#catalog.dataSet.identity;
      this.#kept.clear();
    }
    return this.#kept.get(keyOf(target, coding));
  }

  /**
   * The answer to a text that is not empty and is not kept for its target, compressed where a coding is accepted
   * and it is worth while.
   */
  make(target: string, text: string, coding: Coding | undefined): Answer | Promise<Answer> {
    if (coding !== undefined) {
      if (this.#compressing < MAX_COMPRESSING) return this.#compress(target, text, coding);
      this.#metrics.counts.answersLeftPlain++;
      const plain = this.kept(target, undefined);
      if (plain !== undefined) return plain;
    }
    const started = performance.now();
    const found = this.#catalog.search(text);
    if (found instanceof Promise) return this.#makeOf(target, text, found, started);
    this.#metrics.searches.record(performance.now() - started);
    return this.#keep(target, text, this.#catalog.dataSet.identity, found);
  }

  async #makeOf(target: string, text: string, found: Promise<FoundAnswer>, started: number): Promise<Answer> {
    const { body, identity } = await found;
    this.#metrics.searches.record(performance.now() - started);
    return this.#keep(target, text, identity, body);
  }

  async #compress(target: string, text: string, coding: Coding): Promise<Answer> {
    const plain = this.kept(target, undefined) ?? (await this.make(target, text, undefined));
    if (plain.body.length < LEAST_COMPRESSED) return plain;
    this.#compressing++;
    const body = await COMPRESS[coding](plain.body).finally(() => this.#compressing--);
    const answer = this.#answer(body, coding, tagOf(plain.etag, coding));
    // Kept at once: it took more work than a search. But the data set may have been replaced meanwhile.
    if (plain.etag === tagFor(this.#identity, hashOf(text))) this.#set(keyOf(target, coding), answer);
    return answer;
  }

  #keep(target: string, text: string, identity: string, body: Buffer): Answer {
    const hash = hashOf(text);
    const answer = this.#answer(body, undefined, tagFor(identity, hash));
    // What is kept is of one data set.
    if (identity !== this.#identity) return answer;
    const slot = hash & (REMEMBERED - 1);
    if (this.#askedOnce[slot] === hash) this.#set(target, answer);
    else this.#askedOnce[slot] = hash;
    return answer;
  }

  /** Keeps a copy, since a body may be a small part of the memory that it holds. */
  #set(key: string, answer: Answer): void {
    this.#kept.set(key, { ...answer, body: Buffer.from(Uint8Array.from(answer.body).buffer) });
  }

  #answer(body: Buffer, coding: Coding | undefined, etag: string): Answer {
    return { body, coding, etag, headers: this.#headersOf({ body, coding, etag }) };
  }
}

const keyOf = (target: string, coding: Coding | undefined): string =>
  coding === undefined ? target : `${coding} ${target}`;

const tagFor = (identity: string, hash: number): string =>
  `"${identity}-${ANSWERS_VERSION}-${hash.toString(36)}"`;

/** The tag of a compressed answer, from that of the plain one. */
export function tagOf(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/** FNV-1a over UTF-16 code units, less its last bit: V8 writes numbers of 31 bits in half the time. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 1;
}
