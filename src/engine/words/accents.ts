/** Words in Latin letters that people type without their accents. */
import { knownLettersOf } from './letters.ts';
import { utf8SizeOf } from './spelling-tree.ts';
import type { Vocabulary } from './vocabulary.ts';

const LATIN = /^[a-z]+$/;

/** Latin letters are below the first, and, those of Vietnamese, from the second up to the third. */
const [LATIN_END, FURTHER, FURTHER_END] = [0x250, 0x1e00, 0x1f00];

/** Nodes of the tree that a word visits, whatever the vocabulary. */
const MOST_VISITED = 2000;

/** The number of the most common word that is a folded one with other accents: that of "azúcar" for "azucar"; -1 if there is none. */
export function accentedOf(vocabulary: Vocabulary, word: string): number {
  if (!LATIN.test(word)) return -1;
  const { characters, children, words } = vocabulary.tree;
  let [best, most, left] = [-1, 0, MOST_VISITED];
  const take = (found: number): void => {
    const foods = vocabulary.foodsOf({ from: found, to: found + 1 });
    if (foods > most) [best, most] = [found, foods];
  };
  /** Visits the children of a node that has the letters of the word up to `at`, in so many bytes, and whose words end at `end`. */
  const visit = (parent: number, end: number, at: number, bytes: number): void => {
    const to = children[parent + 1]!;
    for (let node = children[parent]!; node < to && characters[node]! < FURTHER_END; node++) {
      const character = characters[node]!;
      if (character >= LATIN_END && character < FURTHER) continue;
      const next = behind(word, at, character);
      if (next < 0 || --left < 0) continue;
      const from = words[node]!;
      const last = node + 1 < to ? words[node + 1]! : end;
      const size = bytes + utf8SizeOf(character);
      if (last - from === 1) {
        if (isRest(vocabulary, word, from, next, size)) take(from);
        continue;
      }
      if (next === word.length && vocabulary.lengthOf(from) === size) take(from);
      visit(node, last, next, size);
    }
  };
  visit(0, vocabulary.size, 0, 0);
  return best;
}

/** Whether a word of the vocabulary has the letters of another one from there on, and no more. */
function isRest(vocabulary: Vocabulary, word: string, own: number, at: number, bytes: number): boolean {
  const end = vocabulary.lengthOf(own);
  while (bytes < end && at >= 0) {
    const character = vocabulary.characterOf(own, bytes);
    at = behind(word, at, character);
    bytes += utf8SizeOf(character);
  }
  return at === word.length;
}

/** The place in the word behind the letters of a character; -1 if others are there. */
function behind(word: string, at: number, character: number): number {
  if (character < 0x80) return word.charCodeAt(at) === character ? at + 1 : -1;
  for (const letter of knownLettersOf(character)) if (word.charCodeAt(at++) !== letter) return -1;
  return at;
}
