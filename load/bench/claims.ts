/**
 * Sentences of the documents that state figures of a record. `npm run bench -- report` writes the figures into them, and
 * `test/docs.test.ts` compares them with the newest record.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Record } from './report.ts';

/** Undefined if the record lacks that part. */
type Figure = (record: Record) => string | undefined;

interface Claim {
  readonly file: string;
  /** The sentence, with `…` in place of the figure. */
  readonly sentence: string;
  readonly figure: Figure;
}

/** Of an engine, or a peer of it, at the size of the generated data set. */
const p99 = ({ engine = [] }: Record, name: string): number | undefined =>
  engine.find(({ foods }) => foods === 2_000_000)?.peers.find((peer) => peer.name.startsWith(name))?.p99;

const bytesPerFood = ({ foods, sizes }: NonNullable<Record['postgres']>): number =>
  Object.values(sizes).reduce((sum, size) => sum + size) / foods;

const SENTENCES: { readonly [file: string]: { readonly [sentence: string]: Figure } } = {
  'README.md': {
    'A search of 2,000,000 foods takes … ms (p99)': (record) => p99(record, 'food-lookup')?.toFixed(2),
    'and by words … ms': ({ words }) => words?.at(-1)?.p99.toFixed(1),
    'the trigram index of SQLite takes … ms': (record) => p99(record, 'SQLite FTS5')?.toFixed(0),
    '`LIKE` … ms': (record) => p99(record, 'SQLite LIKE')?.toFixed(0),
    'imported in … s on two cores': ({ service }) => service?.importSeconds.toFixed(0),
    '… bytes of memory per food': ({ service }) => service?.bytesPerFood.toFixed(0),
    'starts with all of them in … s': ({ service }) => service?.openSeconds.toFixed(1),
  },
  'docs/sources.md': {
    'opens 2,000,000 foods in … s': ({ service }) => service?.openSeconds.toFixed(1),
  },
  'docs/scale.md': {
    '0.1 GB and … bytes a food': ({ service }) => service?.bytesPerFood.toFixed(0),
  },
  'docs/postgresql.md': {
    'about … bytes per food': ({ postgres }) => postgres && `${10 * Math.round(bytesPerFood(postgres) / 10)}`,
  },
};

export const CLAIMS: readonly Claim[] = Object.entries(SENTENCES).flatMap(([file, sentences]) =>
  Object.entries(sentences).map(([sentence, figure]) => ({ file, sentence, figure })),
);

/** Finds the sentence, on however many lines; the figure is between its two groups. */
export function claimIn({ sentence }: Claim): RegExp {
  const [before, after] = sentence
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+'));
  return new RegExp(`(${before})[\\d.,]*\\d(${after})`, 'g');
}

export function writeClaims(record: Record): void {
  for (const claim of CLAIMS) {
    const { file, sentence } = claim;
    const [text, figure] = [readFileSync(file, 'utf8'), claim.figure(record)];
    if (text.search(claimIn(claim)) < 0)
      throw new Error(`${file} lacks the sentence “${sentence}”. Change load/bench/claims.ts.`);
    if (figure !== undefined) writeFileSync(file, text.replace(claimIn(claim), `$1${figure}$2`));
  }
}
