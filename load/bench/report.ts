/** The newest record as a page with tables. */
import { readdirSync, readFileSync } from 'node:fs';
import type { measureBundle } from '../tools/bundle.ts';
import { table } from '../tools/markdown.ts';
import type { Spread } from '../tools/measure.ts';
import type { measureAmounts } from './amounts.ts';
import type { measureEngine, measureWords } from './engine.ts';
import type { measureHttp } from './http.ts';
import type { measurePage } from './page.ts';
import type { measurePostgres } from './postgres.ts';
import type { ScaleFigures } from './scale.ts';
import type { measureSwaps } from './swap.ts';
import type { WorstFigures } from './worst-words.ts';
import { CONNECTIONS } from './wrk.ts';

type Figures<Measure extends (...given: never[]) => unknown> = Awaited<ReturnType<Measure>>;

export interface Record {
  /** Time of the measurement: ISO 8601, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly cpu: string;
  readonly engine?: Figures<typeof measureEngine>;
  readonly words?: Figures<typeof measureWords>;
  readonly worstWords?: WorstFigures[];
  readonly amounts?: Figures<typeof measureAmounts>;
  readonly bundle?: Figures<typeof measureBundle>;
  readonly service?: {
    readonly foods: number;
    readonly importSeconds: number;
    /** Bytes. */
    readonly importPeak: number;
    readonly openSeconds: number;
    readonly bytesPerFood: number;
    readonly startSeconds: number;
  };
  readonly http?: Figures<typeof measureHttp>;
  readonly swap?: Figures<typeof measureSwaps>;
  readonly postgres?: Figures<typeof measurePostgres>;
  readonly scale?: ScaleFigures;
  readonly page?: Figures<typeof measurePage>;
}

type Part<Name extends keyof Record> = NonNullable<Record[Name]>;

export const RECORDS = 'load/record';

/** By the date in the record, because a clone gives all files the same time. */
export function newestRecord(folder = RECORDS): Record & { readonly file: string } {
  const records = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`)
    .map((file) => ({ ...(JSON.parse(readFileSync(file, 'utf8')) as Record), file }))
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date));
  const [newest] = records;
  if (newest === undefined) throw new Error('There is no record yet. Run: npm run bench');
  return newest;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en');
const ms = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toPrecision(2));
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB`;
const spread = ({ p50, p99, worst }: Spread): string[] => [p50, p99, worst].map(ms);
const rowOf = ({ name, texts, ...times }: Spread & { name: string; texts: number }): string[] => [
  name,
  count(texts),
  ...spread(times),
];

/** docs/benchmarks.md. */
export function reportOf(record: Record & { readonly file: string }): string {
  const { engine, words, worstWords, amounts, service, http, swap, postgres } = record;
  const sections = [
    `# Benchmarks

See how fast food-lookup is, or measure it yourself: \`npm run bench\`, which needs the folder \`../shared\` with real data, \`wrk\` and
Chromium (Debian: \`apt-get install wrk chromium-headless-shell\`) and installs SQLite for comparison. \`npm run bench -- report\` writes
this page and the figures in other documents. Measured on ${record.date.slice(0, 10)} at commit ${record.commit} with Node.js
${record.node} on ${record.cpu}; \`${record.file}\` has all figures. Machines are
noisy: ratios within one run say more than the times.`,
    engine && engineSection(engine, words, worstWords),
    amounts && amountsSection(amounts),
    record.bundle && bundleSection(record.bundle),
    service && serviceSection(service),
    http && httpSection(http),
    swap && swapSection(swap),
    postgres && postgresSection(postgres),
  ];
  return `${sections.filter((section) => section !== undefined).join('\n\n')}\n`;
}

function engineSection(
  engine: Part<'engine'>,
  words: Part<'words'> = [],
  worst: Part<'worstWords'> = [],
): string {
  const corpora = engine.map(({ corpus, foods, importSeconds, trigramSeconds }) => {
    const trigrams = trigramSeconds ? `; SQLite indexes the trigrams in ${trigramSeconds.toFixed(1)} s` : '';
    return `- ${count(foods)} foods: ${corpus}, imported in ${importSeconds.toFixed(1)} s${trigrams}.`;
  });
  const rows = engine.flatMap(({ foods, peers }) =>
    peers.map((peer) => [
      count(foods),
      ...rowOf(peer),
      peer === peers[0] ? '1' : count(peer.p99 / (peers[0]?.p99 ?? 1)),
    ]),
  );
  for (const { foods, what, ...times } of words)
    rows.push([count(foods), ...rowOf({ name: `food-lookup by words, ${what}`, ...times }), '']);
  const costliest = worst.map(({ foods, worst: kinds }) => {
    const { ms: most, kind } = kinds.reduce((a, b) => (a.ms > b.ms ? a : b));
    return `${ms(most)} ms among ${count(foods)} foods (${kind})`;
  });
  return `## Search

Every engine searches for different texts of 1 to 14 characters, hits and misses, without a cache; times in ms. All engines have the
same foods, folded in the same way, and must find the same number of them for every text, or the run fails. The trigram index cannot
search for fewer than three characters. \`LIKE\`, which reads all foods, gets fewer texts. Texts typed for searches by words are one to
four words of a description in any order, some of them misspelt or unfinished; phrases are ingredients of a recipe site. The products
are there once and three times.

${corpora.join('\n')}

${table(['foods', 'engine', 'texts', 'p50', 'p99', 'worst', 'p99, times ours'], rows)}

The costliest text by words that a search for it finds, of up to 16,000 characters, takes this much processor time:
${costliest.join(', ')}.`;
}

const amountsSection = ({ lines, worstText, ...times }: Part<'amounts'>): string => `## Amounts

Reading a line of a recipe and weighing its foods, without the searches for them; times in ms. Of texts of 16 kB that repeat one
piece, reading takes most processor time for \`${worstText.piece.trim()}\`: ${ms(worstText.ms)} ms.

${table(['', 'lines', 'p50', 'p99', 'worst'], [rowOf({ name: 'amounts', texts: lines, ...times })])}`;

const bundleSection = ({ bytes, gzip }: Part<'bundle'>): string =>
  `As a script for a browser, what opens and searches an index has ${count(bytes)} bytes, ${count(gzip)} with gzip.`;

function serviceSection(service: Part<'service'>): string {
  return `## Import, start and memory, ${count(service.foods)} foods

${table(
  ['', ''],
  [
    ['import from CSV', `${service.importSeconds.toFixed(1)} s`],
    ['peak memory of the import', gib(service.importPeak)],
    ['start of the service with that index, to its first answer', `${service.openSeconds.toFixed(2)} s`],
    ['memory of the service, less that of one without foods', `${count(service.bytesPerFood)} bytes a food`],
    [
      'start of the service with the built-in foods, to its first answer',
      `${service.startSeconds.toFixed(2)} s`,
    ],
  ],
)}`;
}

function httpSection(http: Part<'http'>): string {
  return `## HTTP, real data

The service as released, with the foods of SR28, compared with a bare \`node:http\` server that sends a constant body of the mean
size. The servers take turns; medians of ${http[0]?.rounds} rounds.

${table(
  ['load', 'mean body', 'bare node:http', 'food-lookup', 'of bare'],
  http.map((row) => [
    row.load,
    `${count(row.bodySize)} bytes`,
    `${count(row.bare)}/s`,
    `${count(row.own)}/s`,
    row.ofBare.toFixed(2),
  ]),
)}`;
}

function swapSection({ foods, swaps, ...figures }: Part<'swap'>): string {
  return `## Replacing the data set under load, ${count(foods)} foods

${CONNECTIONS} connections send requests as fast as they get answers, in rounds with and without replacements of the index, ${swaps} in all.
No request fails. While nothing is replaced, p99 is ${ms(figures.p99)} ms at ${count(figures.rate)} requests a second; while the index is replaced all
the time, ${ms(figures.p99OfSwaps)} ms at ${count(figures.rateOfSwaps)} (medians of the rounds).`;
}

function postgresSection({ version, foods, search, words, importSeconds, sizes }: Part<'postgres'>): string {
  const bytes = Object.values(sizes).reduce((sum, size) => sum + size);
  return `## PostgreSQL ${version}, ${count(foods)} foods

Texts as above, without the cache of answers; times in ms. The server has 1 GB of \`shared_buffers\` and runs on the same machine.
Every answer must equal that of the index file, byte for byte, or the run fails.

${table(
  ['', 'texts', 'p50', 'p99', 'worst'],
  [
    rowOf({ name: 'food-lookup, the 100 best', ...search }),
    rowOf({ name: 'food-lookup by words, the 100 best', ...words }),
  ],
)}

An import takes ${importSeconds.toFixed(0)} s. With their indexes, the tables take ${count(bytes / 1e6)} MB.`;
}
