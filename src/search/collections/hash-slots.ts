/**
 * Hash tables with open addressing: each number is in the first free slot from that of its hash (FNV-1a) on.
 */

/** In a slot that is free. */
export const NONE = -1;

const MOST_FILLED = 0.75;

/** A free table for so many numbers of 0 and more. The number of slots is a power of two. */
export const slotsFor = (count: number): Int32Array =>
  new Int32Array(2 ** Math.ceil(Math.log2(1 + count / MOST_FILLED))).fill(NONE);

export const firstSlot = (slots: Int32Array, hash: number): number =>
  (hash ^ (hash >>> 15)) & (slots.length - 1);
export const nextSlot = (slots: Int32Array, slot: number): number => (slot + 1) & (slots.length - 1);
