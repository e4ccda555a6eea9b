/**
 * Memory for answers. To allocate it for each took a quarter of the time of a search: most answers are short, and the garbage
 * collector looks at every piece of memory outside of its heap. So short ones lie one behind the other in a slab.
 */

/** Bytes of a slab, and of the longest answer that is put into one: whoever keeps an answer keeps its slab. */
const SLAB = 64 * 1024;
const LONGEST = SLAB / 8;

let slab = Buffer.allocUnsafeSlow(SLAB);
let used = 0;

/** Bytes of which nobody else knows. Their content is not defined. */
export function allocate(size: number): Buffer {
  if (size > LONGEST) return Buffer.allocUnsafeSlow(size);
  if (used + size > SLAB) {
    slab = Buffer.allocUnsafeSlow(SLAB);
    used = 0;
  }
  used += size;
  return slab.subarray(used - size, used);
}
