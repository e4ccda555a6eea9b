/** Groups in front of headings, as in `Proximates_Protein_g`; and words that say that figures are no amounts. */
import { type Field, isScaled, parseHeading } from '../words/headings.ts';

/** What may stand between a group and a name: a sign, a blank, or the next capital letter. */
const BETWEEN = /(?<=[\p{L}\p{M})])(?:\s*[_:>./|[(]\s*|\s+[-–—]\s+|\s+)(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/gu;
/** Figures of a group; fewer, such as `Animal protein` and `Animal fat`, are parts of those without it. */
const LEAST_OF_GROUP = 3;
/** Words for no figure in particular, with which one heading is enough. */
const GROUPS = /^(?:ma[ck]ro|proxim|nutri|nähr|compos|general|allgemein|basic|identif|info|details)/iu;
/** What people need, and what statistics say. */
const NEEDS =
  /%|(?<!\p{L})(?:dv|rda|rdi|nrv|gda|daily|target|goal|percent|pct|min|max|sd|(?<=\S\s*)se)(?!\p{L})/iu;
export const isNeed = (heading: string): boolean => NEEDS.test(heading.replaceAll('_', ' '));

/** Whether what stands in front says that the figures are for another amount. */
const isOwnAmount = (prefix: string): boolean =>
  /\d/.test(prefix) || NEEDS.test(prefix) || parseHeading(prefix).basis !== undefined;

/** The headings without the groups in front of them, as in `Proximates_Protein_g` and `Macros - Energy (kcal)`. A prefix is one if no heading names the figures without it. */
export function withoutGroups(
  headings: readonly string[],
  fieldNamedBy: (heading: string) => Field | undefined,
): readonly string[] {
  const members = new Map<string, number[]>();
  for (const [index, heading] of headings.entries()) {
    for (const { 0: sign, index: at } of heading.matchAll(BETWEEN)) {
      const prefix = heading.slice(0, at + sign.length);
      members.set(prefix, [...(members.get(prefix) ?? []), index]);
    }
  }
  const shared = [...members].filter(
    ([prefix, { length }]) => (length >= LEAST_OF_GROUP || GROUPS.test(prefix)) && !isOwnAmount(prefix),
  );
  if (shared.length === 0) return headings;
  const plain = new Set(headings.map(fieldNamedBy));
  const groups = shared.flatMap(([prefix, indexes]) => {
    const rests = indexes.map((index) => (headings[index] ?? '').slice(prefix.length));
    const fields = new Set(rests.flatMap((rest) => fieldNamedBy(rest) ?? []));
    const figures = [...fields].filter(isScaled);
    const isNew = [...fields].some((field) => !plain.has(field));
    const isGroup = GROUPS.test(prefix) ? isNew : figures.length >= LEAST_OF_GROUP;
    return isGroup && !figures.some((field) => plain.has(field)) ? prefix : [];
  });
  const longestFirst = groups.toSorted((a, b) => b.length - a.length);
  return headings.map((heading) =>
    heading.slice(longestFirst.find((group) => heading.startsWith(group))?.length ?? 0),
  );
}
