/**
 * Compares the service on real data with a bare `node:http` server that sends a constant body of the same size, or with the
 * service of another checkout. The servers alternate, with the same client and the same requests.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { MAIN, serve } from '../../test/support/command.ts';
import { SR28_CSV } from '../../test/support/shared.ts';
import { median } from '../tools/measure.ts';
import { descriptionsIn, repeated, textsOf } from '../tools/workload.ts';
import { loadOf, script } from './wrk.ts';

const ROUNDS = 7;

/** More than one round can send. Each round has its own texts, so that none is sent twice. */
const DISTINCT_OF_ROUND = 130_000;

/** More than the cache holds. */
const CRAWLED = 60_000;

interface Port {
  readonly port: number;
}

/** Requests for each round, as scripts of wrk, and some of the texts, whose answers have the mean size. */
async function loads() {
  const texts = textsOf(await descriptionsIn(SR28_CSV), ROUNDS * DISTINCT_OF_ROUND);
  const load = (name: string, ...rounds: (readonly string[])[]) => ({
    name,
    rounds: rounds.map((asked, i) => script(`${name.replaceAll(/\W+/g, '-')}-${i}`, asked)),
    sample: sampleOf(rounds.flat()),
  });
  const distinct = Array.from({ length: ROUNDS }, (_, i) =>
    texts.slice(i * DISTINCT_OF_ROUND, (i + 1) * DISTINCT_OF_ROUND),
  );
  return [
    load('no text twice', ...distinct),
    load('repeated texts (Zipf)', repeated(texts)),
    load('60,000 texts in turn', texts.slice(0, CRAWLED)),
  ];
}

/** Requests per second of each load, and the mean bytes of its answers. */
export async function measureHttp() {
  const figures = [];
  const service = await serve([], { FOOD_DATA: SR28_CSV });
  for (const { name, rounds, sample } of await loads()) {
    const bodySize = await meanSize(service.url, sample);
    const server = await startBare(bodySize);
    const { own, other, ratio } = await compare(service, server, rounds);
    server.stop();
    figures.push({ load: name, rounds: ROUNDS, bodySize, own, bare: other, ofBare: ratio });
  }
  await service.stop();
  return figures;
}

/** Prints how many answers a second the built service of this checkout sends, and that of another. */
export async function compareWith(checkout: string): Promise<void> {
  const service = await serve([], { FOOD_DATA: SR28_CSV });
  const before = await serve([], { FOOD_DATA: SR28_CSV }, `${checkout}/${MAIN}`);
  for (const { name, rounds } of await loads()) {
    const { own, other, ratio } = await compare(service, before, rounds);
    process.stdout.write(
      `${name}: ${own.toFixed(0)}/s, ${other.toFixed(0)}/s in ${checkout}: ${ratio.toFixed(3)}\n`,
    );
  }
  await Promise.all([service.stop(), before.stop()]);
}

/** Medians of the rounds, and of their ratios. */
async function compare(service: Port, server: Port, files: readonly string[]) {
  const rates: { own: number; other: number }[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const file = files[i % files.length] ?? '';
    rates.push({ own: (await loadOf(service, file)).rate, other: (await loadOf(server, file)).rate });
  }
  return {
    own: median(rates.map(({ own }) => own)),
    other: median(rates.map(({ other }) => other)),
    ratio: median(rates.map(({ own, other }) => own / other)),
  };
}

/** A `node:http` server with a constant body of that many bytes: the upper bound of a service on Node.js. */
async function startBare(bodySize: number) {
  const child = fork('load/bench/bare-server.mjs', [String(bodySize)], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => child.kill() };
}

/** About 2,000 texts, evenly spread: the first are the shortest, and have answers ten times as long as the last. */
const sampleOf = (texts: readonly string[]): string[] =>
  texts.filter((_, i) => i % Math.ceil(texts.length / 2000) === 0);

async function meanSize(url: string, texts: readonly string[]): Promise<number> {
  let sum = 0;
  for (const q of texts) {
    const response = await fetch(`${url}/api/food?${new URLSearchParams({ q })}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    sum += (await response.arrayBuffer()).byteLength;
  }
  return Math.round(sum / texts.length);
}
