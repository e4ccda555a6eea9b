/**
 * The words of a vocabulary as a tree of their characters. A node stands for the words with the same beginning. It has children
 * only if these are several words: of a single one, the rest is read in the vocabulary.
 */

/** Words in the order of their UTF-8. */
export interface Spellings {
  /** The UTF-8 of the words, back to back. */
  readonly spellings: Uint8Array;
  /** The start of each word, and the end of the last one. */
  readonly spellingStarts: Uint32Array;
}

/** The nodes level by level, so that the children of a node lie side by side; first the one of all words. */
export interface SpellingTree {
  /** The code point of the last character of each node. */
  readonly characters: Int32Array;
  /** The first child of each node, which ends the children of the one before. */
  readonly children: Int32Array;
  /** The first word of each node. It has those up to its next sibling, or to the end of its parent. */
  readonly words: Int32Array;
}

/** It takes 12 bytes for each node, of which 95,579 words have 131,471. */
export function spellingTreeOf({ spellings, spellingStarts }: Spellings): SpellingTree {
  const characters = [0];
  const words = [0];
  /** Of each node the end of its words, and the bytes that these begin with. */
  const ends = [spellingStarts.length - 1];
  const sizes = [0];
  const children: number[] = [];
  for (let node = 0; node < words.length; node++) {
    children.push(words.length);
    const size = sizes[node]!;
    const end = ends[node]!;
    let word = words[node]!;
    if (node > 0 && end - word === 1) continue;
    // The word that ends here is before those that go on.
    if (word < end && spellingStarts[word + 1]! - spellingStarts[word]! === size) word++;
    for (; word < end; word++) {
      const character = characterAt(spellings, spellingStarts[word]! + size);
      if (children[node] === words.length || characters.at(-1) !== character) {
        characters.push(character);
        words.push(word);
        sizes.push(size + utf8SizeOf(character));
        ends.push(word);
      }
      ends[ends.length - 1]!++;
    }
  }
  children.push(words.length);
  return {
    characters: Int32Array.from(characters),
    children: Int32Array.from(children),
    words: Int32Array.from(words),
  };
}

/** Bytes of a character in UTF-8. */
export const utf8SizeOf = (character: number): number =>
  character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;

/** The code point of the character that begins at a position of UTF-8. */
export function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let character = first & (0x7f >> size);
  for (let i = 1; i < size; i++) character = (character << 6) | (bytes[at + i]! & 0x3f);
  return character;
}
