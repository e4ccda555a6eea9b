/** The public data of data/sources.txt, and how such tables are read. */
import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('../../../data/sources.txt', import.meta.url), 'utf8');

/** The lines of a block, each with its parts; an empty one is undefined. */
export function knownSources(block: string): readonly (readonly (string | undefined)[])[] {
  const [, lines = ''] = TEXT.split(`[${block}]\n`);
  return rowsOf(lines.split('\n[', 1)[0] ?? '');
}

/** The lines of a text that have bars between their parts; an empty part is undefined. */
export const rowsOf = (text: string): readonly (readonly (string | undefined)[])[] =>
  text
    .split('\n')
    .filter((line) => line.includes('|') && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim() || undefined));
