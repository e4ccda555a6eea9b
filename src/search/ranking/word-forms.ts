/**
 * A word and what may be its singular and its plural, the word itself first. Some of them are no words; no food has those.
 */
export function formsOf(word: string): string[] {
  const singular = word.replace(/ies$/, 'y');
  const plurals = [`${word}s`, `${word}es`, word.replace(/y$/, 'ies')];
  return [
    word,
    ...plurals,
    singular,
    ...(/...s$/.test(word) ? [word.slice(0, -1), word.replace(/es$/, '')] : []),
  ];
}
