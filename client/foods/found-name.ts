/** Which of the names of a food a text means. */
import { wordsIn } from '#amounts';

/** The name that has most words of the text, whole or in longer ones; undefined if none has any. */
export function foundName(names: readonly string[], text: string): string | undefined {
  const typed = wordsIn(text);
  const shared = (name: string): number => {
    const words = wordsIn(name);
    return typed.filter((word) => words.some((each) => each.includes(word))).length;
  };
  const counted = names.map((name) => ({ name, count: shared(name) })).filter(({ count }) => count > 0);
  return counted.toSorted((a, b) => b.count - a.count)[0]?.name;
}
