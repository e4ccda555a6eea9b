/**
 * A word and what may be its singular, its plural, and its form with or without the apostrophe of a possessive ("joes", "joe's"),
 * which few people type. The word itself comes first. Some forms are not words, and occur in no food.
 */
export function formsOf(word: string): string[] {
  const singular = word.replace(/ies$/, 'y');
  const plurals = [`${word}s`, `${word}es`, word.replace(/y$/, 'ies')];
  return [
    word,
    ...plurals,
    singular,
    ...(/...s$/.test(word) ? [word.slice(0, -1), word.replace(/es$/, '')] : []),
    ...possessivesOf(word),
  ];
}

function possessivesOf(word: string): string[] {
  const [, owner] = /^(..+?)['\u2019]?s$/.exec(word) ?? [];
  return owner === undefined
    ? []
    : [`${owner}s`, `${owner}'s`, `${owner}\u2019s`].filter((each) => each !== word);
}
