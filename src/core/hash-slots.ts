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
const nextSlot = (slots: Int32Array, slot: number): number => (slot + 1) & (slots.length - 1);

/** The slot of the number that is searched for, or the free one for it. @param hash of the number; @param isIt whether it is that */
export function slotOf(slots: Int32Array, hash: number, isIt: (number: number) => boolean): number {
  let slot = firstSlot(slots, hash);
  while (slots[slot] !== NONE && !isIt(slots[slot] as number)) slot = nextSlot(slots, slot);
  return slot;
}

/** A table for twice as many numbers, with those from 0 to `count`. @param hashOf the hash of a number */
export function largerSlots(count: number, hashOf: (number: number) => number): Int32Array {
  const slots = slotsFor(2 * count);
  for (let number = 0; number < count; number++) {
    slots[slotOf(slots, hashOf(number), () => false)] = number;
  }
  return slots;
}

export const isFull = (slots: Int32Array, count: number): boolean => count > MOST_FILLED * slots.length;
