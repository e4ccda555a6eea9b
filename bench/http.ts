/**
 * The HTTP path on real data, beside a bare node:http server with a constant body of the same size, and beside
 * the usual service. The sides take turns, all asked by the same client with the same requests.
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

/** More than one round asks for; each round has its own, so that no text comes twice at all. */
const DISTINCT_OF_ROUND = 130_000;

/** More than the cache holds: two rounds of a crawler, which asks for each in turn, take longer than one of the measurement. */
const CRAWLED = 60_000;

export interface HttpFigures {
  readonly load: string;
  /** Bytes of the mean answer, and of the constant body of the bare server. */
  readonly bodySize: number;
  /** Requests per second, medians. */
  readonly own: number;
  readonly bare: number;
  readonly usual: number | undefined;
  /** Medians of the ratios of each round. */
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
  const servers: Served[] = [await startService(SR28, OWN)];
  try {
    const sizes = {
      repeated: await meanSize(repeated(texts, 2000)),
      distinct: await meanSize(sampleOf(texts)),
      crawled: await meanSize(sampleOf(crawled)),
    };
    servers.push(
      await startBare(sizes.repeated, BARE_REPEATED),
      await startBare(sizes.distinct, BARE_DISTINCT),
      await startBare(sizes.crawled, BARE_CRAWLED),
    );
    servers.push(await startUsual());
    return [
      compare('no text twice', once, sizes.distinct, BARE_DISTINCT, USUAL),
      compare(
        'repeated texts (Zipf)',
        once.map(() => often),
        sizes.repeated,
        BARE_REPEATED,
        undefined,
      ),
      compare(
        '60,000 texts in turn',
        once.map(() => inTurn),
        sizes.crawled,
        BARE_CRAWLED,
        undefined,
      ),
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
  usual: number | undefined,
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

/** About 2,000 texts of all: the first ones are the shortest, with answers ten times as long as those of the last round. */
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
