/** The newest record as a page with tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { table } from '../tools/markdown.ts';
import type { Spread } from '../tools/measure.ts';
import { count } from '../torture/verdict.ts';
import type { measureAmounts } from './amounts.ts';
import type { measureBundle, measureEngine, measureWords } from './engine.ts';
import type { measureHttp } from './http.ts';
import type { measurePage } from './page.ts';
import type { measurePostgres } from './postgres.ts';
import type { measureSwaps } from './swap.ts';
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
  readonly page?: Figures<typeof measurePage>;
}

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

const ms = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toPrecision(2));

/** ms of each row. */
const TIMES = ['texts', 'p50', 'p99', 'worst'];
const timesOf = ({ texts, p50, p99, worst }: Spread & { readonly texts: number }): string[] => [
  count(texts),
  ...[p50, p99, worst].map(ms),
];

/** The text of each part, in the order of docs/benchmarks.md; words are reported with the engine. */
const SECTIONS: {
  readonly [Part in keyof Record]?: (part: NonNullable<Record[Part]>, all: Record) => string;
} = {
  engine: (engine, { words = [] }) => {
    const corpora = engine.map(({ corpus, foods, importSeconds, trigramSeconds }) => {
      const trigrams = trigramSeconds && `; SQLite indexes the trigrams in ${trigramSeconds.toFixed(1)} s`;
      return `- ${count(foods)} foods: ${corpus}, imported in ${importSeconds.toFixed(1)} s${trigrams ?? ''}.`;
    });
    const rows = engine.flatMap(({ foods, peers }) =>
      peers.map((peer) => {
        const ratio = peer.p99 / (peers[0]?.p99 ?? 1);
        return [count(foods), peer.name, ...timesOf(peer), count(ratio)];
      }),
    );
    for (const { foods, what, ...times } of words)
      rows.push([count(foods), `food-lookup by words, ${what}`, ...timesOf(times), '']);
    return `## Search

Every engine searches for different texts of 1 to 14 characters, hits and misses, without a cache; times in ms. All engines have the
same foods, folded in the same way, and must find the same number of them for every text, or the run fails. The trigram index cannot
search for fewer than three characters. \`LIKE\`, which reads all foods, gets fewer texts. Texts typed for searches by words are one to
four words of a description in any order, some of them misspelt or unfinished; phrases are ingredients of a recipe site. The products
are there once and three times.

${corpora.join('\n')}

${table(['foods', 'engine', ...TIMES, 'p99, times ours'], rows)}`;
  },
  amounts: ({ lines, worstText, ...times }) => `## Amounts

Reading a line of a recipe and weighing its foods, without the searches for them; times in ms. Of texts of 16 kB that repeat one
piece, reading takes most processor time for \`${worstText.piece.trim()}\`: ${ms(worstText.ms)} ms.

${table(['', 'lines', ...TIMES.slice(1)], [['amounts', ...timesOf({ texts: lines, ...times })]])}`,
  bundle: ({ bytes, gzip }) =>
    `As a script for a browser, what opens and searches an index has ${count(bytes)} bytes, ${count(gzip)} with gzip.`,
  service: (service) => `## Import, start and memory, ${count(service.foods)} foods

${table(
  ['', ''],
  [
    ['import from CSV', `${service.importSeconds.toFixed(1)} s`],
    ['peak memory of the import', `${(service.importPeak / 2 ** 30).toFixed(2)} GiB`],
    ['start of the service with that index, to its first answer', `${service.openSeconds.toFixed(2)} s`],
    ['memory of the service, less that of one without foods', `${count(service.bytesPerFood)} bytes a food`],
    ['start with the built-in foods, to its first answer', `${service.startSeconds.toFixed(2)} s`],
  ],
)}`,
  http: (http) => `## HTTP, real data

The service as released, with the foods of SR28, compared with a bare \`node:http\` server that sends a constant body of the mean
size. The servers take turns; medians of ${http[0]?.rounds} rounds.

${table(
  ['load', 'mean body', 'bare node:http', 'food-lookup', 'of bare'],
  http.map(({ load, bodySize, bare, own, ofBare }) => [
    ...[load, `${count(bodySize)} bytes`, `${count(bare)}/s`, `${count(own)}/s`, ofBare.toFixed(2)],
  ]),
)}`,
  swap: ({ foods, swaps, ...figures }) => `## Replacing the data set under load, ${count(foods)} foods

${CONNECTIONS} connections send requests as fast as they get answers, in rounds with and without replacements of the index, ${swaps} in all.
No request fails. While nothing is replaced, p99 is ${ms(figures.p99)} ms at ${count(figures.rate)} requests a second; while the index is replaced all
the time, ${ms(figures.p99OfSwaps)} ms at ${count(figures.rateOfSwaps)} (medians of the rounds).`,
  postgres: ({ version, foods, search, words, importSeconds, sizes }) => {
    const bytes = Object.values(sizes).reduce((sum, size) => sum + size);
    return `## PostgreSQL ${version}, ${count(foods)} foods

Texts as above, without the cache of answers; times in ms. The server has 1 GB of \`shared_buffers\` and runs on the same machine.
Every answer must equal that of the index file, byte for byte, or the run fails.

${table(
  ['', ...TIMES],
  [
    ['food-lookup, the 100 best', ...timesOf(search)],
    ['food-lookup by words, the 100 best', ...timesOf(words)],
  ],
)}

An import takes ${importSeconds.toFixed(0)} s. With their indexes, the tables take ${count(bytes / 1e6)} MB.`;
  },
};

/** docs/benchmarks.md. */
export function reportOf(record: Record & { readonly file: string }): string {
  const introduction = `# Benchmarks

See how fast food-lookup is, or measure it yourself: \`npm run bench\`, which needs the folder \`../shared\` with real data, \`wrk\` and
Chromium (Debian: \`apt-get install wrk chromium-headless-shell\`) and installs SQLite for comparison. \`npm run bench -- report\` writes
this page. Measured on ${record.date.slice(0, 10)} at commit ${record.commit} with Node.js
${record.node} on ${record.cpu}; \`${record.file}\` has all figures. Machines are
noisy: ratios within one run say more than the times.`;
  const section = <Part extends keyof Record>(part: Part): string[] => {
    const figures = record[part];
    return figures === undefined ? [] : [SECTIONS[part]?.(figures, record) ?? ''];
  };
  const parts = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];
  return `${[introduction, ...parts.flatMap((part) => section(part))].join('\n\n')}\n`;
}
