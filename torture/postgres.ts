/**
 * Puts two service processes, one primary and two standbys under load while servers are killed and restarted: no answer may be
 * wrong, no request may take long, and few may fail.
 */
import { MemoryCatalog } from '../src/catalogs/index/memory.ts';
import { readFoods } from '../src/readers/read-foods.ts';
import { runAlone, serve } from '../test/support/command.ts';
import { Postgres, urlOf } from '../test/support/postgres.ts';
import { byWords, rightAnswer, SearchLoop } from '../test/support/search-loop.ts';
import { count, type Figure, measured, ms, none } from './verdict.ts';

const STARTER = 'data/starter-foods.csv';
const LOOPS = 8;

/** Share of requests that may fail, and ms that one may take. */
const MOST_FAILED = 0.01;
const LONGEST = 2000;

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

export async function postgresFaults({ seconds = 60 } = {}): Promise<Figure[]> {
  const primary = await Postgres.start();
  const standbys = [await primary.standby(), await primary.standby()];
  const [first, second] = standbys;
  const imported = await runAlone(['import', STARTER, '--to', primary.url()]);
  if (imported.code !== 0) throw new Error(imported.stderr);
  const urls = [urlOf([primary, ...standbys]), urlOf([primary, ...standbys.toReversed()])];
  const services = await Promise.all(urls.map((url) => serve([], { FOOD_DATA: url })));
  const load = new SearchLoop(
    services.map(({ url }) => ({ port: Number(new URL(url).port) })),
    await rightAnswers(),
    LOOPS,
  );
  const events: readonly [string, () => Promise<void> | undefined][] = [
    ['a standby is killed', () => first?.end('SIGKILL')],
    ['it returns', () => first?.run()],
    ['the primary is restarted', () => primary.end('SIGINT').then(() => primary.run())],
    ['the other standby is killed', () => second?.end('SIGKILL')],
    ['it returns', () => second?.run()],
  ];
  for (const [what, happen] of events) {
    await pause(seconds / (events.length + 1));
    process.stderr.write(`after ${load.requests} requests: ${what}\n`);
    await happen();
  }
  await pause(seconds / (events.length + 1));
  const { requests, wrong, failed, failures, longest } = await load.stop();
  for (const service of services) await service.stop();
  for (const server of [...standbys, primary]) await server.remove();
  return [
    { what: 'requests', value: count(requests) },
    none('wrong answers', wrong.length),
    measured('failed requests', failed / requests, '≤', MOST_FAILED, percent),
    ...Object.entries(failures).map(([what, number]) => ({ what: `  ${what}`, value: count(number) })),
    measured('the longest request', longest, '≤', LONGEST, ms),
  ];
}

const percent = (share: number): string => `${(100 * share).toFixed(3)} %`;

/** The answers of a catalog in memory to common and rare texts. */
async function rightAnswers(): Promise<Map<string, string[]>> {
  const label = { name: '', date: '', source: null, licence: null };
  const memory = await MemoryCatalog.from(readFoods(STARTER), label);
  const answers = new Map<string, string[]>();
  for (const { description } of memory.records()) {
    for (const text of [
      description.slice(0, 1),
      description.slice(2, 5),
      description.slice(0, 7),
      description,
      byWords(description),
    ]) {
      if (text !== '') answers.set(text, [rightAnswer(memory, text)]);
    }
  }
  return answers;
}
