/** Writes the headings of data/headings.txt into docs/own-foods.md: `npm run headings`. */
import { readFile, writeFile } from 'node:fs/promises';
import { LANGUAGES } from '../src/readers/own/languages.ts';

const PAGE = 'docs/own-foods.md';

/** The page with the table of headings as it should be. */
export function withHeadings(page: string): string {
  const rows = LANGUAGES.flatMap(({ name, words }) =>
    Array.from(words, ([kind, names], i) => `| ${i === 0 ? name : ''} | ${kind} | ${names.join(', ')} |`),
  );
  const table = ['| | column | headings, the most exact first |', '| --- | --- | --- |', ...rows].join('\n');
  return page.replace(/(?<=<!-- headings -->\n)[\s\S]*?(?=\n<!-- \/headings -->)/, () => table);
}

if (process.argv[2]?.endsWith('headings.ts'))
  await writeFile(PAGE, withHeadings(await readFile(PAGE, 'utf8')));
