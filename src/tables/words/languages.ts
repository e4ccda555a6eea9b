/** The words of data/headings.txt, which a person who knows the language can mend. */
import { readFileSync } from 'node:fs';

export interface Language {
  /** Two letters; longer for a block that is no language, such as `codes`. */
  readonly code: string;
  readonly name: string;
  /** By kind, such as `food` or `per 100 g`: the words, the most exact first. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

const FILE = new URL('../../../data/headings.txt', import.meta.url);

/** The languages of a text such as data/headings.txt. */
const languagesOf = (text: string): readonly Language[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\n[ \t]+/g, ' ')
    .split(/^(?=\[)/m)
    .flatMap((block) => {
      const [, code, name = ''] = /^\[(\w+)\] (.+)$/m.exec(block) ?? [];
      if (code === undefined) return [];
      const kinds = Array.from(block.matchAll(/^([^:\n]+): (.+)$/gm), ([, kind = '', names = '']) => {
        return [kind, names.split('|').map((each) => each.trim())] as const;
      });
      return { code, name, words: new Map(kinds) };
    });

export const LANGUAGES = languagesOf(readFileSync(FILE, 'utf8'));

/** Letters as people type them who have no such key: `Portionsgroesse`, `maengd`. */
const TYPED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const IS_TYPED_SO = /^(?:da|de|no|sv)$/;

/** The words of a kind in all languages, in the order of the file. */
export const headingWords = (kind: string): readonly string[] => {
  const wordsIn = (languages: readonly Language[]) => languages.flatMap(({ words }) => words.get(kind) ?? []);
  const typed = wordsIn(LANGUAGES.filter(({ code }) => IS_TYPED_SO.test(code))).map((word) =>
    word.replace(/[äöüåø]/gi, (letter) => TYPED[letter.toLowerCase()] ?? ''),
  );
  return [...new Set([...wordsIn(LANGUAGES), ...typed])];
};

/** Makes a value when it is first wanted: most processes read no table of a user's own. */
export function lazily<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
