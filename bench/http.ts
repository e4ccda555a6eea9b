/**
 * Compares the service on real data with a bare node:http server that sends a constant body of the same size, and with the
 * usual way to build such a service. The servers alternate, with the same client and the same requests.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readFoods } from '../src/readers/read-foods.ts';
import { installPeers } from './peers.ts';
import { median } from './tools/measure.ts';
import { type Served, startBare, startServer, startService, stop } from './tools/process.ts';
import { descriptionsOf, repeated, SR28, textsOf } from './tools/workload.ts';
import { rateOf, requireWrk, script } from './tools/wrk.ts';

const [OWN, BARE_REPEATED, BARE_DISTINCT, BARE_CRAWLED, USUAL] = [4701, 4702, 4703, 4705, 4704];
const ROUNDS = 7;

/** More than one round can send. Each round has its own texts, so that none is sent twice. */
const DISTINCT_OF_ROUND = 130_000;

/** More than the cache holds. */
const CRAWLED = 60_000;

export interface HttpFigures {
  readonly load: string;
  /** Bytes: the mean of the answers, and the size of the bare server's constant body. */
  readonly bodySize: number;
  /** Requests per second, medians. */
  readonly own: number;
  readonly bare: number;
  readonly usual: number | undefined;
  /** Medians of the rounds' ratios. */
  readonly ofBare: number;
  readonly timesUsual: number | undefined;
}

export async function measureHttp(): Promise<HttpFigures[]> {
  requireWrk();
  const descriptions = await descriptionsOf(0);
  const texts = textsOf(descriptions, ROUNDS * DISTINCT_OF_ROUND);
  const often = script('repeated', repeated(texts));
  const once = Array.from({ length: ROUNDS }, (_, round) =>
    script(`distinct-${round}`, texts.slice(round * DISTINCT_OF_ROUND, (round + 1) * DISTINCT_OF_ROUND)),
  );
  const crawled = texts.slice(0, CRAWLED);
  const inTurn = script('crawled', crawled);
  const sizeOf = async (sample: readonly string[], bare: number): Promise<number> => {
    const size = await meanSize(sample);
    servers.push(await startBare(size, bare));
    return size;
  };
  const servers: Served[] = [await startService(SR28, OWN)];
  try {
    const ofRepeated = await sizeOf(repeated(texts, 2000), BARE_REPEATED);
    const ofDistinct = await sizeOf(sampleOf(texts), BARE_DISTINCT);
    const ofCrawled = await sizeOf(sampleOf(crawled), BARE_CRAWLED);
    servers.push(await startUsual());
    return [
      compare('no text twice', once, ofDistinct, BARE_DISTINCT, USUAL),
      compare('repeated texts (Zipf)', Array(ROUNDS).fill(often), ofRepeated, BARE_REPEATED),
      compare('60,000 texts in turn', Array(ROUNDS).fill(inTurn), ofCrawled, BARE_CRAWLED),
    ];
  } finally {
    await Promise.all(servers.map(stop));
  }
}

function compare(
  load: string,
  files: readonly string[],
  bodySize: number,
  bare: number,
  usual?: number,
): HttpFigures {
  const rates: { own: number; bare: number; usual: number }[] = [];
  for (const file of files) {
    rates.push({ own: rateOf(OWN, file), bare: rateOf(bare, file), usual: usual ? rateOf(usual, file) : 0 });
  }
  const of = (figure: (rate: (typeof rates)[number]) => number): number => median(rates.map(figure));
  return {
    load,
    bodySize,
    own: of((rate) => rate.own),
    bare: of((rate) => rate.bare),
    usual: usual && of((rate) => rate.usual),
    ofBare: of((rate) => rate.own / rate.bare),
    timesUsual: usual && of((rate) => rate.own / rate.usual),
  };
}

/** About 2,000 texts, evenly spread: the first are the shortest, and have answers ten times as long as the last. */
const sampleOf = (texts: readonly string[]): string[] =>
  texts.filter((_, i) => i % Math.ceil(texts.length / 2000) === 0);

async function meanSize(texts: readonly string[]): Promise<number> {
  let sum = 0;
  for (const q of texts) {
    const response = await fetch(`http://127.0.0.1:${OWN}/api/food?${new URLSearchParams({ q })}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    sum += (await response.arrayBuffer()).byteLength;
  }
  return Math.round(sum / texts.length);
}

async function startUsual(): Promise<Served> {
  const rows: (string | number | null)[][] = [];
  const number = (figure: string | null) => (figure === null ? null : Number(figure));
  for await (const food of readFoods(SR28)) {
    const { carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description } = food;
    rows.push([
      ...[carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal].map(number),
      description,
    ]);
  }
  const foods = resolve('build/bench-data/foods.json');
  writeFileSync(foods, JSON.stringify(rows));
  const environment = { PORT: String(USUAL), PEERS: installPeers(), FOODS: foods };
  return startServer(['bench/servers/usual.mjs'], environment, USUAL);
}
