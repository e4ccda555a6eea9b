/** The words of a vocabulary without what they have in common with the one before: half as many bytes, compressed or not. */
import type { Spellings } from '../words/spelling-tree.ts';

/** Instead of the first bytes of a word, how many of them the word before begins with. No word has bytes below this one. */
const MOST_SHARED = 0x1f;

export function shortSpellings({ spellings, spellingStarts }: Spellings): Uint8Array {
  const short = new Uint8Array(spellings.length + spellingStarts.length - 1);
  let at = 0;
  let before = 0;
  for (const [i, start] of spellingStarts.subarray(0, -1).entries()) {
    const end = spellingStarts[i + 1]!;
    const most = Math.min(MOST_SHARED, end - start, start - before);
    let shared = 0;
    while (shared < most && spellings[before + shared] === spellings[start + shared]) shared++;
    short[at] = shared;
    short.set(spellings.subarray(start + shared, end), at + 1);
    at += 1 + end - start - shared;
    before = start;
  }
  return short.slice(0, at);
}

/** Undoes {@link shortSpellings}. */
export function longSpellings(short: Uint8Array): Spellings {
  const starts: number[] = [];
  let size = 0;
  for (let i = 0; i < short.length; i++) {
    const byte = short[i]!;
    if (byte <= MOST_SHARED) starts.push(size);
    size += byte <= MOST_SHARED ? byte : 1;
  }
  starts.push(size);
  const spellings = new Uint8Array(size);
  let word = 0;
  let at = 0;
  for (let i = 0; i < short.length; i++) {
    const byte = short[i]!;
    if (byte > MOST_SHARED) spellings[at++] = byte;
    else
      for (let from = starts[Math.max(0, word++ - 1)]!, k = 0; k < byte; k++)
        spellings[at++] = spellings[from + k]!;
  }
  return { spellings, spellingStarts: Uint32Array.from(starts) };
}
