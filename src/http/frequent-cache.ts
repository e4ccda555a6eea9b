/**
 * A cache bounded in bytes that keeps the entries requested most often (TinyLFU; Einziger, Friedman and Manes, 2017). When it is full,
 * an entry replaces only entries that are requested less often, so a crawler that requests very many texts in turn evicts
 * nothing. A moving hand decides which entries are compared, as in the CLOCK algorithm, so a hit moves nothing.
 *
 * The library transitory has this policy, but takes 127 ns for a hit, four times as long, and stores every value requested once.
 * Simpler libraries have no sizes, or keep recent values, however rarely they are requested.
 */

interface Entry<Value> {
  readonly value: Value;
  readonly hash: number;
  readonly size: number;
}

/**
 * An entry asked for 5 times replaces one asked for 3 times, not one asked for 4: texts that are requested in turn differ by one,
 * and would evict each other for nothing.
 */
const LEAST_BEHIND = 2;

export class FrequentCache<Value> {
  readonly #maxBytes: number;
  readonly #frequencies = new Frequencies();
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;
  /** Continues where the last comparison ended, even if entries come and go. */
  #hand = this.#entries.entries();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#frequencies.add(entry.hash);
    return entry.value;
  }

  /** Counts a request that found no entry; returns the number of recent ones, including this one. @param hash of 31 bits */
  missed(hash: number): number {
    return this.#frequencies.add(hash);
  }

  /** Keeps a value if there is room, or if enough entries are requested less often. @param make is called only if the value is kept */
  offer(key: string, hash: number, size: number, make: () => Value): void {
    if (size > this.#maxBytes || this.#entries.has(key)) return;
    const frequency = this.#frequencies.of(hash);
    while (this.#bytes + size > this.#maxBytes) {
      const [other, entry] = this.#next();
      if (this.#frequencies.of(entry.hash) + LEAST_BEHIND > frequency) return;
      this.#entries.delete(other);
      this.#bytes -= entry.size;
    }
    this.#entries.set(key, { value: make(), hash, size });
    this.#bytes += size;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** There is one, because the cache is full when this is called. */
  #next(): readonly [string, Entry<Value>] {
    const { value } = this.#hand.next();
    if (value !== undefined) return value;
    this.#hand = this.#entries.entries();
    return this.#next();
  }
}

/** Counters of each of two rows, by different bits of a hash of 31 bits. */
const ROW_BITS = 18;
const ROW = 1 << ROW_BITS;
const HASH_BITS = 31;

/** Higher counts would not show better which text is worth keeping, and would be remembered for too long. */
const MOST = 15;

/** Requests after which all counters are halved: half as many as a row has counters, so that few texts share both of theirs. */
const PERIOD = ROW / 2;

/**
 * How often texts were requested lately, roughly: a text that shares its counters with others has the smaller of the two
 * (Count-Min; Cormode and Muthukrishnan, 2005).
 */
class Frequencies {
  readonly #counters = new Uint8Array(2 * ROW);
  #added = 0;

  of(hash: number): number {
    const counters = this.#counters;
    return Math.min(counters[firstOf(hash)] as number, counters[secondOf(hash)] as number);
  }

  /** @returns the number after that */
  add(hash: number): number {
    const frequency = this.of(hash);
    // A counter that is higher also counts other texts.
    if (frequency < MOST)
      for (const place of [firstOf(hash), secondOf(hash)])
        if (this.#counters[place] === frequency) this.#counters[place] = frequency + 1;
    if (++this.#added === PERIOD) this.#halve();
    return frequency + 1;
  }

  #halve(): void {
    this.#added = 0;
    const four = new Uint32Array(this.#counters.buffer);
    for (let i = 0; i < four.length; i++) four[i] = ((four[i] ?? 0) >>> 1) & 0x7f7f7f7f;
  }
}

const firstOf = (hash: number): number => hash & (ROW - 1);
const secondOf = (hash: number): number => ROW + (hash >>> (HASH_BITS - ROW_BITS));
