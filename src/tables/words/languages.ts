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
function languagesOf(text: string): readonly Language[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const languages: { code: string; name: string; words: Map<string, readonly string[]> }[] = [];
  for (const line of lines) {
    const [, code, name = ''] = /^\[(\w+)\] (.+)$/.exec(line) ?? [];
    const [, kind, names = ''] = /^([^:]+): (.+)$/.exec(line) ?? [];
    if (code !== undefined) languages.push({ code, name, words: new Map() });
    else if (kind !== undefined)
      languages.at(-1)?.words.set(
        kind,
        names.split('|').map((each) => each.trim()),
      );
  }
  return languages;
}

export const LANGUAGES = languagesOf(readFileSync(FILE, 'utf8'));

/** Letters as people type them who have no such key: `Portionsgroesse`, `maengd`. */
const TYPED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const IS_TYPED_SO = /^(?:da|de|no|sv)$/;

/** The words of a kind in all languages, in the order of the file. */
export const headingWords = (kind: string): readonly string[] => {
  const written = LANGUAGES.flatMap(({ words }) => words.get(kind) ?? []);
  const typed = LANGUAGES.filter(({ code }) => IS_TYPED_SO.test(code)).flatMap(({ words }) =>
    (words.get(kind) ?? []).map((word) =>
      word.replace(/[äöüåø]/gi, (letter) => TYPED[letter.toLowerCase()] ?? ''),
    ),
  );
  return [...new Set([...written, ...typed])];
};

/** Makes a value when it is first wanted: most processes read no table of a user's own. */
export function lazily<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
