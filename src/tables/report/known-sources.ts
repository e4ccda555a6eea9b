/** The public data of data/sources.txt. */
import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('../../../data/sources.txt', import.meta.url), 'utf8');

/** The lines of a block, each with its parts; an empty one is undefined. */
export function knownSources(block: string): readonly (readonly (string | undefined)[])[] {
  const [, lines = ''] = TEXT.split(`[${block}]\n`);
  const own = lines.split('\n[', 1)[0]?.split('\n') ?? [];
  return own
    .filter((line) => line.includes('|') && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim() || undefined));
}
