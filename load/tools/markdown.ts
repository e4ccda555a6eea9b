/** Tables in the documents. */
import { readFileSync, writeFileSync } from 'node:fs';

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Writes the table into the page: from `<!-- NAME -->` to `<!-- /NAME -->`. */
export function writeTable(page: string, name: string, content: string): void {
  const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(?=<!-- /${name} -->)`);
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(place, (_, start: string) => `${start}${content}\n`),
  );
}
