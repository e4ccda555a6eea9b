/** Seeded texts as people type them: words of a description in any order. */
import { type Random, seeded } from '../../test/support/random.ts';

const WORD = /[\p{L}\d.'%]+/gu;

/** One to four words; a third of the words are misspelt, unfinished, in another form, in capitals, or of another food. */
export function* typedTexts(descriptions: readonly string[], count: number, seed: number): Generator<string> {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(items.length)];
  const wordsOf = () => pick(descriptions)?.match(WORD) ?? [];
  const changed = (word: string): string => {
    const changes = [
      () => word.toUpperCase(),
      () => `${word}s`,
      () => word.replace(/e?s$/, ''),
      () => pick(wordsOf()) ?? '',
      () => edited(word, random),
      () => edited(word, random),
      () => word.slice(0, 1 + random(word.length)),
    ];
    return pick(changes)?.() ?? '';
  };
  for (let found = 0; found < count; ) {
    const words = wordsOf()
      .toSorted(() => random(3) - 1)
      .slice(0, 1 + random(4))
      .map((word) => (random(3) === 0 ? changed(word) : word));
    const text = words.join(' ').trim();
    if (text === '') continue;
    found++;
    yield text;
  }
}

/** The word with one letter missing, replaced or added, or two swapped. */
export function edited(word: string, random: Random): string {
  if (word.length < 2) return word;
  const at = random(word.length - 1);
  const letter = String.fromCharCode(97 + random(26));
  const [before, here, behind] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)];
  const edits = [behind, letter + behind, here + letter + behind, `${behind[0]}${here}${behind.slice(1)}`];
  return before + (edits[random(edits.length)] ?? '');
}
