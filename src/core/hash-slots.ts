/**
 * Hash tables with open addressing, in four to eight bytes for each number: each is in the first free slot at or after that of
 * its hash. A `Map` takes fifty to a hundred bytes a key.
 */

export const NONE = -1;

const MOST_FILLED = 0.75;

/** An empty table for that many numbers from 0 on. The number of slots is a power of two. */
export const slotsFor = (count: number): Int32Array =>
  new Int32Array(2 ** Math.ceil(Math.log2(1 + count / MOST_FILLED))).fill(NONE);

export const firstSlot = (slots: Int32Array, hash: number): number =>
  (hash ^ (hash >>> 15)) & (slots.length - 1);
export const nextSlot = (slots: Int32Array, slot: number): number => (slot + 1) & (slots.length - 1);

export const isFull = (slots: Int32Array, count: number): boolean => count > MOST_FILLED * slots.length;
