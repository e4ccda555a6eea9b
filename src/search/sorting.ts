/** Sorts parts of an array in place, and selects in it. */

/** Up to this many numbers are sorted by insertion, which takes less time than a call of the built-in sort. */
const FEW = 40;

/** Sorts the numbers [from, to). */
export function sortPart(numbers: Int32Array, from: number, to: number): void {
  if (to - from > FEW) {
    numbers.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const number = numbers[i]!;
    let at = i;
    for (; at > from && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
    numbers[at] = number;
  }
}

/** The `count`-th smallest of the first `size` numbers, which it reorders (Hoare's FIND). */
export function selectSmallest(numbers: Int32Array, size: number, count: number): number {
  const wanted = count - 1;
  let low = 0;
  let high = size - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i]! < pivot) i++;
      while (numbers[j]! > pivot) j--;
      if (i > j) break;
      const number = numbers[i]!;
      numbers[i++] = numbers[j]!;
      numbers[j--] = number;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return numbers[wanted]!;
}
