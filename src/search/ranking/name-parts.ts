/** The meaning of the parts of a name: which names the food, and which is an addition. */
import { type FoodName, textOf } from './food-name.ts';
import { DENIALS, DISHES, LINKS, SHELVES } from './kinds.ts';
import type { MatchEnd } from './match-end.ts';

/** Whether matches that begin at a word and end in this way are the whole description. */
export function isWholeDescription(
  { folded, words, segments }: FoodName,
  index: number,
  end: MatchEnd,
): boolean {
  return (
    end === 'segmentEnd' &&
    index === 0 &&
    segments.length === 1 &&
    words[0]!.start === 0 &&
    words.at(-1)!.end === folded.length &&
    !/[,;]/.test(folded)
  );
}

export function linkAt({ folded, words }: FoodName, index: number): string | undefined {
  return LINKS.of(folded, words[index]!);
}

/** The last link before a word in its segment. */
export function linkBefore(name: FoodName, index: number): string | undefined {
  for (let i = index; !name.words[i]!.begins; i--) {
    const link = linkAt(name, i - 1);
    if (link !== undefined) return link;
  }
  return undefined;
}

/** Whether the food does not have the words that follow in the segment: "without added salt". */
export const isDenial = ({ folded, words }: FoodName, index: number): boolean =>
  DENIALS.of(folded, words[index]!) !== undefined;

/** Whether there is a denial before a word in its segment. */
export function isDenied(name: FoodName, index: number): boolean {
  for (let i = index; !name.words[i]!.begins; i--) if (isDenial(name, i - 1)) return true;
  return false;
}

/** The segment that names the food: the first that is not a shelf. */
export function frontOf({ folded, segments }: FoodName): number {
  let front = 0;
  while (front < segments.length - 1 && SHELVES.has(textOf(folded, segments[front]!))) front++;
  return front;
}

export function isDish({ folded, segments }: FoodName): boolean {
  return segments.length > 1 && DISHES.has(textOf(folded, segments[0]!));
}
