/** Words of data/amounts.txt that are looked for in descriptions and portions as they stand, not as parts of a line. */
import { UNSPACED } from './tokens.ts';

const MARKS = [
  ...(['form', 'cooked', 'uncooked', 'raw', 'dried', 'fresh', 'cut', 'ground', 'canned', 'done'] as const),
  ...(['meat', 'made', 'drink', 'fats', 'stock', 'other state', 'no piece', 'other piece'] as const),
  ...(['cooked food', 'cooked form', 'with', 'without'] as const),
];
type Mark = (typeof MARKS)[number];

/** Any of the words, not as a part of a longer one; of none nothing. */
function patternOf(words: readonly string[]): string {
  const spaced = words.filter((word) => !UNSPACED.test(word)).join('|');
  const others = words.filter((word) => UNSPACED.test(word));
  const all = [`(?<![\\p{L}\\p{N}])(?:${spaced || '(?!)'})(?![\\p{L}\\p{N}])`, ...others];
  return `(?:${all.join('|')})`;
}

export class Marks {
  readonly #words = new Map<string, readonly string[]>();
  readonly #patterns = new Map<string, RegExp>();

  /** @param kind of a line of the file, of which others are ignored @param texts between bars */
  add(kind: string, texts: string): void {
    if (!MARKS.some((mark) => mark === kind)) return;
    this.#patterns.clear();
    // A roast is a form of meat, too, and may be raw.
    const isForm = (word: string) => kind === 'cooked' && this.of('form').includes(word);
    for (const word of texts.split('|').map((each) => each.trim())) {
      const own = isForm(word) ? 'cooked form' : kind;
      this.#words.set(own, [...this.of(own), word]);
    }
  }

  /** The words of a kind, in the order of the file. */
  of(kind: string): readonly string[] {
    return this.#words.get(kind) ?? [];
  }

  /** Whether a word of this kind is in the text. */
  has(kind: Mark, text: string): boolean {
    return this.#patternOf(kind, '', 'iu').test(text);
  }

  /** The text without words of this kind and what follows them up to a comma. */
  without(kind: Mark, text: string): string {
    return text.replace(this.#patternOf(kind, '[^,，、،]*', 'giu'), '');
  }

  #patternOf(kind: Mark, following: string, flags: string): RegExp {
    const key = kind + following;
    const pattern = this.#patterns.get(key) ?? new RegExp(patternOf(this.of(kind)) + following, flags);
    this.#patterns.set(key, pattern);
    return pattern;
  }
}
