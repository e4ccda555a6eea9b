/** The letters of a character: without its accents. */
export const lettersOf = (character: number): readonly number[] => [
  character < 0xc0 ? character : String.fromCodePoint(character).normalize('NFD').codePointAt(0)!,
];
