/** Which of the names of a food a text means. */

const wordsIn = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The name that has most words of the text, whole or in longer ones; undefined if none has any. */
export function foundName(names: readonly string[], text: string): string | undefined {
  const typed = wordsIn(text);
  const shared = (name: string): number => {
    const words = wordsIn(name);
    return typed.filter((word) => words.some((each) => each.includes(word))).length;
  };
  let best: { readonly name: string; readonly count: number } | undefined;
  for (const name of names) {
    const count = shared(name);
    if (count > (best?.count ?? 0)) best = { name, count };
  }
  return best?.name;
}
