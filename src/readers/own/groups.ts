/** Headings with a group in front, as in `Proximates_Protein_g` and `Macros - Energy (kcal)`. */
import { type Field, isScaled } from './headings.ts';

/** What may stand between a group and a name: a sign, a blank, or the next capital letter. */
const BETWEEN = /(?<=[\p{L}\p{M})])(?:\s*[_:>./|[(]\s*|\s+[-–—]\s+|\s+)(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/gu;
/** Figures of a group; fewer, such as `Animal protein` and `Animal fat`, are parts of those without it. */
const LEAST = 3;
/** Figures for other amounts than those in food. */
const NEEDS = /%|(?<!\p{L})(?:dv|rda|rdi|nrv|gda|daily)(?!\p{L})/iu;

/** The headings without groups. A prefix is one if no heading names the figures without it. @param fieldOf what a heading names */
export function withoutGroups(
  headings: readonly string[],
  fieldOf: (heading: string) => Field | undefined,
): readonly string[] {
  const members = new Map<string, number[]>();
  for (const [index, heading] of headings.entries()) {
    for (const { 0: sign, index: at } of heading.matchAll(BETWEEN)) {
      const prefix = heading.slice(0, at + sign.length);
      members.set(prefix, [...(members.get(prefix) ?? []), index]);
    }
  }
  const shared = [...members].filter(([prefix, { length }]) => length >= LEAST && !NEEDS.test(prefix));
  if (shared.length === 0) return headings;
  const plain = new Set(headings.map(fieldOf));
  const groups = shared.flatMap(([prefix, indexes]) => {
    const rests = indexes.map((index) => (headings[index] ?? '').slice(prefix.length));
    const fields = new Set(rests.flatMap((rest) => fieldOf(rest) ?? []).filter(isScaled));
    return fields.size >= LEAST && ![...fields].some((field) => plain.has(field)) ? prefix : [];
  });
  return headings.map((heading) =>
    heading.slice(groups.find((group) => heading.startsWith(group))?.length ?? 0),
  );
}
