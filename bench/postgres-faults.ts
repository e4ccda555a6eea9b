/**
 * A minute of two service processes, one primary and two standbys under load, while servers are killed, restarted
 * and return. Ends with 1 where an answer is wrong, a request takes too long, or too many fail.
 *
 *     npm run torture:postgres [-- SECONDS]
 */
import { parseArgs } from 'node:util';
import { MemoryCatalog } from '../src/catalogs/memory.ts';
import { readCsv } from '../src/readers/csv.ts';
import { run, serve } from '../test/support/command.ts';
import { Load } from '../test/support/load.ts';
import { Postgres, urlOf } from '../test/support/postgres.ts';

const STARTER = 'data/starter-foods.csv';
const LOOPS = 8;

/** Bounds: share of requests that may fail, and ms that one may take. */
const MOST_FAILED = 0.01;
const LONGEST = 2000;

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
const tell = (what: string): void => void process.stdout.write(`${what}\n`);

const { positionals } = parseArgs({ allowPositionals: true });
const seconds = Number(positionals[0] ?? 60);

const primary = await Postgres.start();
const standbys = [await primary.standby(), await primary.standby()];
const imported = await run(['import', STARTER, '--to', primary.url()]);
if (imported.code !== 0) throw new Error(imported.stderr);
const urls = [urlOf([primary, ...standbys]), urlOf([primary, ...standbys.toReversed()])];
const services = await Promise.all(urls.map((url) => serve([], { FOOD_DATA: url })));
const memory = await MemoryCatalog.from(readCsv(STARTER), {
  name: '',
  date: '',
  source: null,
  licence: null,
});
const texts = new Set<string>();
for (const { description } of memory.records()) {
  for (const text of [
    description.slice(0, 1),
    description.slice(2, 5),
    description.slice(0, 7),
    description,
  ]) {
    if (text !== '') texts.add(text);
  }
}
const answers = new Map([...texts].map((text) => [text, [Buffer.from(memory.search(text)).toString()]]));
const targets = services.map(({ url }) => ({ port: Number(new URL(url).port) }));

const load = new Load(targets, answers, LOOPS);
const [first, second] = standbys;
const events: readonly [string, () => Promise<void> | undefined][] = [
  ['a standby is killed', () => first?.end('SIGKILL')],
  ['it returns', () => first?.run()],
  ['the primary is restarted', () => primary.end('SIGINT').then(() => primary.run())],
  ['the other standby is killed', () => second?.end('SIGKILL')],
  ['it returns', () => second?.run()],
];
for (const [what, happen] of events) {
  await pause(seconds / (events.length + 1));
  tell(`${String(load.requests).padStart(7)} requests: ${what}`);
  await happen();
}
await pause(seconds / (events.length + 1));
const result = await load.stop();
for (const service of services) await service.stop();
for (const server of [...standbys, primary]) await server.remove();

tell(
  `${result.requests} requests, ${result.wrong.length} wrong, ${result.failed} failed, the longest ${Math.round(result.longest)} ms`,
);
for (const [what, count] of Object.entries(result.failures)) tell(`${count} × ${what}`);
for (const what of result.wrong.slice(0, 5)) tell(`wrong: ${what.slice(0, 200)}`);
if (result.wrong.length > 0 || result.longest > LONGEST || result.failed > MOST_FAILED * result.requests)
  process.exitCode = 1;
