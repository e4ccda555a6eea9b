/** Seeded texts as people type them: words of a description in any order. */
import { seeded } from '../../test/support/random.ts';

const WORD = /[\p{L}\d.'%]+/gu;

/** One to four words; a third of the words are misspelt, unfinished, in another form, in capitals, or of another food. */
export function* typedTexts(descriptions: readonly string[], count: number, seed: number): Generator<string> {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(items.length)];
  const wordsOf = () => pick(descriptions)?.match(WORD) ?? [];
  const changed = (word: string): string => {
    const at = random(word.length);
    const letter = String.fromCharCode(97 + random(26));
    const changes = [
      () => word.toUpperCase(),
      () => `${word}s`,
      () => word.replace(/e?s$/, ''),
      () => pick(wordsOf()) ?? '',
      () => word.slice(0, at) + word.slice(at + 1),
      () => word.slice(0, at) + letter + word.slice(at + 1),
      () => word.slice(0, 1 + at),
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
