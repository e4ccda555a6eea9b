/**
 * Sentences of the documents that state figures of a record. `npm run bench -- report` writes the figures into them, and
 * `test/docs.test.ts` compares them with the newest record.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Record } from './report.ts';

interface Claim {
  readonly file: string;
  /** The sentence, with `…` in place of the figure. */
  readonly sentence: string;
  /** Undefined if the record lacks that part. */
  figure(record: Record): string | undefined;
}

const README = 'README.md';
const SOURCES = 'docs/sources.md';
const POSTGRESQL = 'docs/postgresql.md';

/** Of an engine, or a peer of it, at the size of the generated data set. */
const p99 = ({ engine = [] }: Record, name: string): number | undefined =>
  engine.find(({ foods }) => foods === 2_000_000)?.peers.find((peer) => peer.name.startsWith(name))?.p99;

export const CLAIMS: readonly Claim[] = [
  {
    file: README,
    sentence: 'A search of 2,000,000 foods takes … ms (p99)',
    figure: (record) => p99(record, 'food-lookup')?.toFixed(2),
  },
  {
    file: README,
    sentence: 'and by words … ms',
    figure: ({ words }) => words?.peers[0]?.p99.toFixed(1),
  },
  {
    file: README,
    sentence: 'the trigram index of SQLite takes … ms',
    figure: (record) => p99(record, 'SQLite FTS5')?.toFixed(0),
  },
  {
    file: README,
    sentence: '`LIKE` … ms',
    figure: (record) => p99(record, 'SQLite LIKE')?.toFixed(0),
  },
  {
    file: README,
    sentence: 'imported in … s on two cores',
    figure: ({ service }) => service?.importSeconds.toFixed(0),
  },
  {
    file: README,
    sentence: '… bytes of memory per food',
    figure: ({ service }) => service?.bytesPerFood.toFixed(0),
  },
  {
    file: README,
    sentence: 'starts with all of them in … s',
    figure: ({ service }) => service?.openSeconds.toFixed(1),
  },
  {
    file: SOURCES,
    sentence: 'opens 2,000,000 foods in … s',
    figure: ({ service }) => service?.openSeconds.toFixed(1),
  },
  {
    file: POSTGRESQL,
    sentence: 'about … bytes per food',
    figure: ({ postgres }) => postgres && `${10 * Math.round(bytesPerFood(postgres) / 10)}`,
  },
];

const bytesPerFood = ({ foods, sizes }: NonNullable<Record['postgres']>): number =>
  Object.values(sizes).reduce((sum, size) => sum + size) / foods;

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
