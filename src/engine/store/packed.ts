/** Numbers as bytes that compress well, and other forms of lists of numbers. */

const BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** The lowest bytes of all numbers, then the next ones, and so on: most of the higher ones are equal. */
export function packed(numbers: Uint32Array): Uint8Array {
  const { length } = numbers;
  const bytes = new Uint8Array(BYTES * length);
  for (let part = 0; part < BYTES; part++)
    for (let i = 0; i < length; i++) bytes[part * length + i] = numbers[i]! >>> (8 * part);
  return bytes;
}

export function unpacked(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(bytes.length / BYTES);
  const { length } = numbers;
  for (let i = 0; i < length; i++) {
    const [low, next] = [bytes[i]!, bytes[length + i]!];
    numbers[i] = low | (next << 8) | (bytes[2 * length + i]! << 16) | (bytes[3 * length + i]! << 24);
  }
  return numbers;
}

/** Replaces ascending numbers by the distances between them. */
export function toDistances(numbers: Uint32Array): Uint32Array {
  for (let i = numbers.length - 1; i > 0; i--) numbers[i]! -= numbers[i - 1]!;
  return numbers;
}

/** Undoes {@link toDistances}. */
export function fromDistances<Buffer extends ArrayBufferLike>(
  numbers: Uint32Array<Buffer>,
): Uint32Array<Buffer> {
  for (let i = 1; i < numbers.length; i++) numbers[i]! += numbers[i - 1]!;
  return numbers;
}

/** At which place of an order each number is. */
export function placesIn(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (const [place, number] of order.entries()) places[number] = place;
  return places;
}
