/** Texts of any length in the shapes that cost most somewhere on the way of a text, for tests and benchmarks. */
import { edited } from '../../load/tools/typed-texts.ts';
import type { Random } from './random.ts';

/** Makes a text of at most that many bytes. */
type Shape = (bytes: number) => string;

const ALPHABET = Array.from('abcdefghijklmnopqrstuvwxyz');
const SPELLED_OUT = ['ae', 'oe', 'aa', 'ue', 'ss', 'th'];
const UNKNOWN = 9;
const LONG = 500;

/** @param known words of the data set, the common ones first; there must be some of four letters and more */
export function textShapes(known: readonly string[], random: Random): Readonly<Record<string, Shape>> {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const word = (length: number): string => Array.from({ length }, () => pick(ALPHABET)).join('');
  const spelledOut = (count: number) => Array.from({ length: count }, () => pick(SPELLED_OUT)).join('');
  const characters = (first: number, count: number): Shape => {
    return (bytes) => filled(bytes, () => String.fromCharCode(first + random(count)));
  };
  const long = known.filter(({ length }) => length >= 4);
  const listed = (make: () => string): Shape => {
    return (bytes) => filled(bytes, () => `${make()} `).trimEnd();
  };
  return {
    'one word': (bytes) => word(bytes),
    'two words': (bytes) => `${word(Math.floor(bytes / 2) - 1)} ${word(Math.floor(bytes / 2))}`,
    'long words': listed(() => word(LONG)),
    'one letter repeated': repeated('a'),
    'two letters in turn': repeated('ab'),
    'endings of plurals': repeated('ies'),
    'possessives in one another': repeated("a's"),
    blanks: repeated(' '),
    hyphens: repeated('-'),
    'commas and brackets': repeated('a, (b) '),
    digits: repeated('0123456789'),
    decimals: repeated('1.1'),
    emoji: repeated('🥚🧀'),
    'combining marks': (bytes) => `a${repeated('\u0301\u0323')(bytes - 1)}`,
    'Greek capitals': repeated('ΣΑ'),
    'Hangul in parts': repeated('\u1100\u1161\u11a8'),
    'Han without blanks': characters(0x4e00, 0x5000),
    'kana without blanks': characters(0x30a1, 0x50),
    'Thai without blanks': characters(0x0e01, 0x2e),
    'Hangul without blanks': characters(0xac00, 0x2b00),
    'words of Han': listed(() => characters(0x4e00, 0x5000)(UNKNOWN)),
    'letters spelled out': listed(() => spelledOut(UNKNOWN)),
    'letters spelled out in long words': listed(() => spelledOut(16)),
    'single letters': listed(() => pick(ALPHABET)),
    'words all unknown': listed(() => word(UNKNOWN)),
    'words all known': listed(() => pick(known)),
    'words all common': listed(() => pick(known.slice(0, 100))),
    'words one edit off': listed(() => edited(pick(long), random)),
    'unfinished words': listed(() => pick(long).slice(0, 1 + random(3))),
    'known words without blanks': (bytes) => filled(bytes, () => pick(long)),
    'one known word repeated': repeated(long[0] ?? ''),
    'a phrase repeated': repeated(`${known[0]} ${known[1]}, ${known[2]} `),
    'each word the beginning of the next': (bytes) => {
      let length = 0;
      return filled(bytes, () => `${'a'.repeat(++length)} `);
    },
  };
}

const repeated = (piece: string): Shape => {
  const size = Buffer.byteLength(piece);
  return (bytes) => piece.repeat(Math.floor(bytes / size));
};

function filled(bytes: number, make: () => string): string {
  const pieces: string[] = [];
  let left = bytes;
  for (;;) {
    const piece = make();
    left -= Buffer.byteLength(piece);
    if (left < 0) return pieces.join('');
    pieces.push(piece);
  }
}
