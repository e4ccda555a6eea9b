/** The newest record as a page with tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { table } from '../tools/markdown.ts';
import type { Spread } from '../tools/measure.ts';
import type { EngineFigures, Timed } from './engine.ts';
import type { HttpFigures } from './http.ts';
import type { PageFigures } from './page.ts';
import type { PostgresFigures } from './postgres.ts';
import type { ScaleFigures } from './scale.ts';
import type { SourceFigures } from './sources.ts';
import type { SwapFigures } from './swap.ts';
import type { WordsFigures } from './words.ts';
import type { WorstFigures } from './worst-words.ts';
import { CONNECTIONS } from './wrk.ts';

export interface Record {
  /** Time of the measurement: ISO 8601, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly cpu: string;
  readonly engine?: readonly EngineFigures[];
  readonly words?: WordsFigures;
  readonly worstWords?: readonly WorstFigures[];
  readonly service?: {
    readonly foods: number;
    /** Mean length of a description. */
    readonly characters: number;
    readonly importSeconds: number;
    /** Bytes. */
    readonly importPeak: number;
    readonly openSeconds: number;
    readonly bytesPerFood: number;
    readonly startSeconds: number;
  };
  readonly sources?: readonly SourceFigures[];
  readonly http?: readonly HttpFigures[];
  readonly swap?: SwapFigures;
  readonly postgres?: PostgresFigures;
  readonly scale?: ScaleFigures;
  readonly page?: PageFigures;
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

export const count = (value: number): string => Math.round(value).toLocaleString('en');
const ms = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toPrecision(2));
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB`;
const spread = ({ p50, p99, worst }: Spread): string[] => [p50, p99, worst].map(ms);
const rowOf = ({ name, texts, ...times }: Timed): string[] => [name, count(texts), ...spread(times)];

/** docs/benchmarks.md. */
export function reportOf(record: Record & { readonly file: string }): string {
  const { engine, words, worstWords, service, sources, http, swap, postgres, page } = record;
  const sections = [
    `# Benchmarks

See how fast food-lookup is, or measure it yourself. Measured on ${record.date.slice(0, 10)} at commit ${record.commit} with
Node.js ${record.node} on ${record.cpu}; the figures are in
\`${record.file}\`. \`npm run bench\` measures them again, and \`npm run bench -- report\` writes this page
and the figures in other documents. The benchmark needs the folder \`../shared\` with the real data, \`wrk\` and Chromium
(Debian: \`apt-get install wrk chromium-headless-shell\`). It installs SQLite, with which it compares, on the first run. Machines are noisy: ratios within one run say more than the times.`,
    engine && engineSection(engine),
    words && wordsSection(words),
    worstWords && worstWordsSection(worstWords),
    service && serviceSection(service),
    sources && sourcesSection(sources),
    http && httpSection(http),
    swap && swapSection(swap),
    postgres && postgresSection(postgres),
    page && pageSection(page),
  ];
  return `${sections.filter((section) => section !== undefined).join('\n\n')}\n`;
}

function engineSection(engine: readonly EngineFigures[]): string {
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
  return `## Search

Every engine searches for different texts of 1 to 14 characters, hits and misses, without a cache; times in ms. All engines have the
same foods, folded in the same way, and must find the same number of them for every text, or the run fails. The trigram index cannot
search for fewer than three characters. \`LIKE\`, which reads all foods, gets fewer texts.

${corpora.join('\n')}

${table(['foods', 'engine', 'texts', 'p50', 'p99', 'worst', 'p99, times ours'], rows)}`;
}

function wordsSection({ foods, share, ...times }: WordsFigures): string {
  return `## Searches by words, ${count(foods)} foods

Texts of one to four words of a description in any order, some of them misspelt or unfinished, without a cache; times in ms. The data
for these searches adds ${(100 * share).toFixed(0)} % to the size of the index.

${table(['engine', 'texts', 'p50', 'p99', 'worst'], [rowOf({ name: 'food-lookup, the 100 best', ...times })])}`;
}

function worstWordsSection(corpora: readonly WorstFigures[]): string {
  const kinds = corpora[0]?.worst ?? [];
  return `## The worst searches by words

A search for the worst text changes one word of each kind of text at a time, and keeps what costs more. The table has the ms of
processor time of the worst texts that it found, of up to 16,000 characters, among the same foods as above.

${table(
  ['kind of text', ...corpora.map(({ foods }) => `${count(foods)} foods`)],
  kinds.map(({ kind }, i) => [kind, ...corpora.map(({ worst }) => ms(worst[i]?.ms ?? 0))]),
)}`;
}

function serviceSection(service: NonNullable<Record['service']>): string {
  return `## Import, start and memory, ${count(service.foods)} foods

A description has ${service.characters.toFixed(1)} characters on average.

${table(
  ['', ''],
  [
    ['import from CSV', `${service.importSeconds.toFixed(1)} s`],
    ['peak memory of the import', gib(service.importPeak)],
    ['start of the service with that index, to its first answer', `${service.openSeconds.toFixed(2)} s`],
    ['memory of the service, less that of one without foods', `${count(service.bytesPerFood)} bytes a food`],
    [
      'start of the service with the starter foods, to its first answer',
      `${service.startSeconds.toFixed(2)} s`,
    ],
  ],
)}`;
}

function sourcesSection(sources: readonly SourceFigures[]): string {
  return `## Import of public data

${table(
  ['source', 'foods', 'reading', 'the whole import', 'peak memory'],
  sources.map(({ source, foods, reading, seconds, peak }) => [
    source,
    count(foods),
    `${reading.toFixed(0)} s`,
    `${seconds.toFixed(0)} s`,
    gib(peak),
  ]),
)}`;
}

function httpSection(http: readonly HttpFigures[]): string {
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

function swapSection({ foods, swaps, ...figures }: SwapFigures): string {
  return `## Replacing the data set under load, ${count(foods)} foods

The index that is served is replaced ${swaps} times, one replacement after the other, while ${CONNECTIONS} connections send requests as fast as
they get answers. These rounds alternate with rounds in which nothing is replaced. No request fails. Medians of the rounds; p99
includes the wait for the other connections.

${table(
  ['', 'p99', 'requests'],
  [
    ['nothing replaced', `${ms(figures.p99)} ms`, `${count(figures.rate)}/s`],
    ['replaced all the time', `${ms(figures.p99OfSwaps)} ms`, `${count(figures.rateOfSwaps)}/s`],
    ['times', figures.times.toFixed(2), (figures.rateOfSwaps / figures.rate).toFixed(2)],
  ],
)}`;
}

function postgresSection({ version, foods, search, words, ilike, ...figures }: PostgresFigures): string {
  const mb = (bytes: number): string => `${count(bytes / 1e6)} MB`;
  return `## PostgreSQL ${version}, ${count(foods)} foods

Different texts, hits and misses, one after the other and without the cache of answers; times in ms. The server has 1 GB of
\`shared_buffers\` and runs on the same machine. Every answer must equal that of the index file, byte for byte, or the run fails.
[postgresql.md](postgresql.md) explains how it works.

${table(
  ['', 'texts', 'p50', 'p99', 'worst'],
  [
    rowOf({ name: 'food-lookup, the 100 best', ...search }),
    rowOf({ name: 'food-lookup by words, the 100 best', ...words }),
    rowOf({ name: 'ILIKE with a trigram index, any 100', ...ilike }),
  ],
)}

An import takes ${figures.importSeconds.toFixed(0)} s: ${Object.entries(figures.phases)
    .map(([phase, seconds]) => `${phase} ${seconds.toFixed(1)} s`)
    .join(', ')}.
With their indexes, the tables take ${Object.entries(figures.sizes)
    .map(([name, bytes]) => `${name} ${mb(bytes)}`)
    .join(', ')}; a plain table with a
trigram index takes ${mb(ilike.bytes)}, and building that index ${ilike.indexSeconds.toFixed(0)} s.`;
}

function pageSection({ keys, firstPaint }: PageFigures): string {
  return `## The page

On a phone's screen in Chromium, with the service on the same machine: ms from a key press until its foods are painted.

${table(
  ['foods', 'processor slowed', 'keys', 'p50', 'p95'],
  keys.map(({ foods, slowdown, presses, p50, p95 }) => [
    count(foods),
    slowdown === 1 ? 'not' : `${slowdown} times`,
    count(presses),
    p50.toFixed(0),
    p95.toFixed(0),
  ]),
)}

On slow 3G (400 kbit/s, 400 ms) with a processor slowed 4 times, the page first paints after ${(firstPaint / 1000).toFixed(1)} s.`;
}
