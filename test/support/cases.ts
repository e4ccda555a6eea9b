/** The cases of a table of tests: one a line, its parts between bars; a line that is further in continues the one above. */
export function casesOf(text: string): string[][] {
  const [margin = '\n'] = /^\n */.exec(text) ?? [];
  const cases = text.trim().split(new RegExp(`${margin}(?=\\S)`));
  return cases.map((each) => each.replace(/ *\n */g, ' ').split(' | '));
}

/** Such cases whose further parts are the lines of a table. */
export const tablesOf = (text: string): [what: string, lines: string[]][] =>
  casesOf(text).map(([what = '', ...lines]) => [what, lines]);

/** Pairs, several a line: the two of each with an arrow between blanks, and bars between them. */
export const pairsOf = (text: string): [string, string][] => {
  const pairs = text.trim().split(/ *[|\n] */);
  return pairs.map((each) => each.split(' → ') as [string, string]);
};

/** Fields such as `name=text`, with blanks between them. */
export function fieldsOf(text: string): Record<string, string> {
  const fields = text.matchAll(/([\w-]+)=(\S*)/g);
  return Object.fromEntries(Array.from(fields, ([, name = '', field = '']) => [name, field]));
}
