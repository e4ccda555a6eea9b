/** Tables in the documents. */
import { readFileSync, writeFileSync } from 'node:fs';

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Tables by the names of their places in a page: from `<!-- NAME -->` to `<!-- /NAME -->`. */
export type Tables = Readonly<Record<string, string>>;

export function writeTables(page: string, tables: Tables): void {
  let text = readFileSync(page, 'utf8');
  for (const [name, content] of Object.entries(tables)) {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(?=<!-- /${name} -->)`);
    text = text.replace(place, (_, start: string) => `${start}${content}\n`);
  }
  writeFileSync(page, text);
}
