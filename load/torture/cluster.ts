/**
 * Three PostgreSQL servers under Patroni with etcd, HAProxy and two services over them (`deploy/cluster`). Servers fail in the middle
 * of imports while clients ask all the time.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, until } from '../../test/support/cluster.ts';
import type { ClusterServer } from '../../test/support/cluster-server.ts';
import { type Running, serve, startCommand } from '../../test/support/command.ts';
import { seeded } from '../../test/support/random.ts';
import {
  type Answers,
  byWords,
  SearchLoop,
  type SearchLoopResult,
  targetOfSearch,
} from '../../test/support/search-loop.ts';
import { ask, type Reply } from '../../test/support/service.ts';
import { FOLDER, foodData, imported } from '../tools/data-sets.ts';
import { onService } from '../tools/process.ts';
import { descriptionsIn, textsOf } from '../tools/workload.ts';
import { bounded, count, type Figure, ms, none } from './verdict.ts';

/** ms for which a client may get failures where nothing is elected: as long as one search may take. */
const WITHOUT_ELECTION = 2000;

/** What happens to the primary, and what ends it once another server is the primary; both are awaited. */
interface Fault {
  begin(cluster: Cluster, primary: ClusterServer): unknown;
  end?(primary: ClusterServer): unknown;
  /** The primary stays. */
  readonly isWithoutElection?: true;
}

const FAULTS = {
  'the primary killed': { begin: (_, it) => it.kill(), end: (it) => it.startPatroni() },
  'the primary stopped (SIGSTOP)': {
    begin: (_, it) => it.signal('SIGSTOP'),
    end: (it) => it.signal('SIGCONT'),
  },
  'the primary cut off from etcd': { begin: (_, it) => it.cutOff(), end: (it) => it.rejoin() },
  'switched over by Patroni': { begin: (_, it) => it.order('/switchover', { leader: it.address }) },
  'each standby made anew': { begin: (cluster, it) => remakeOthers(cluster, it), isWithoutElection: true },
} satisfies Readonly<Record<string, Fault>>;

type FaultName = keyof typeof FAULTS;

/** What a fault does to the cluster and to imports. */
interface Row {
  /** The longest ms until Patroni had another primary. */
  election: number;
  imports: number;
  refused: number;
  /** Reported as done and not there afterwards, or reported as failed and there. */
  lost: number;
}

const random = seeded(3);

/** Three servers, two services over them, and which of two data sets they have. */
class Trial {
  readonly cluster: Cluster;
  readonly services: Running[] = [];
  readonly #sources: readonly string[];
  readonly #answers: Answers;
  #current = 0;
  #looks = 0;

  constructor(cluster: Cluster, sources: readonly string[], answers: Answers) {
    this.cluster = cluster;
    this.#sources = sources;
    this.#answers = answers;
  }

  /** Imports the first data set, and starts the services. */
  async begin(): Promise<void> {
    const { code, said } = await this.#import(this.#current).ended;
    if (code !== 0) throw new Error(said);
    const settings = { FOOD_DATA: this.cluster.url('food_reader'), LOG_LEVEL: 'error' };
    this.services.push(await serve([], settings), await serve([], settings));
  }

  async under(fault: FaultName, rounds: number, clients: number): Promise<Figure[]> {
    const serviceOf = (client: number) => this.services[client % this.services.length] as Running;
    const ask = (target: string, client: number) => askWithTag(serviceOf(client), target);
    const asking = new SearchLoop(ask, this.#answers, clients);
    const row: Row = { election: 0, imports: 0, refused: 0, lost: 0 };
    try {
      for (let round = 0; round < rounds; round++) await this.#round(FAULTS[fault], row);
    } finally {
      await asking.stop();
    }
    return figuresOf(fault, row, await asking.stop());
  }

  async #round(fault: Fault, row: Row): Promise<void> {
    const primary = await this.cluster.primary();
    if (primary === undefined) throw new Error('no primary before the fault');
    const next = 1 - this.#current;
    const importing = this.#import(next);
    await importing.isSending;
    await pause(random(1500));
    const began = performance.now();
    await fault.begin(this.cluster, primary);
    if (!fault.isWithoutElection) {
      const others = this.cluster.servers.filter((server) => server !== primary);
      await until('another primary', async () =>
        (await Promise.all(others.map((it) => it.is('primary')))).includes(true),
      );
      row.election = Math.max(row.election, performance.now() - began);
    }
    await fault.end?.(primary);
    const { code, said } = await importing.ended;
    await this.cluster.healed();
    row.imports++;
    if (code !== 0) row.refused++;
    await this.#expect(code === 0 || /new data set is served/.test(said) ? next : 1 - next, row);
    if (code === 0) return;
    const again = await this.#import(next).ended;
    if (again.code !== 0) throw new Error(`after the fault an import failed: ${again.said}`);
    await this.#expect(next, row);
  }

  /** Both services must answer from that data set. */
  async #expect(dataSet: number, row: Row): Promise<void> {
    const [[search, answers] = ['', []]] = this.#answers;
    const answering = async (wanted: number): Promise<boolean> => {
      const target = targetOfSearch(search, `after-${this.#looks++}`);
      const served = await Promise.all(
        this.services.map((service) => askWithTag(service, target).catch(() => undefined)),
      );
      return served.every((reply) => reply?.body === answers[wanted]);
    };
    this.#current = dataSet;
    await until('the data set', () => answering(dataSet), 60_000).catch(async () => {
      row.lost++;
      this.#current = 1 - dataSet;
      await until('the other data set', () => answering(1 - dataSet));
    });
  }

  /** `isSending` ends when the first rows are sent, or the import has ended. */
  #import(dataSet: number) {
    const target = this.cluster.url('food_owner');
    const child = startCommand(['import', this.#sources[dataSet] ?? '', '--to', target]);
    child.stdout.resume();
    const isSending = new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk) => {
        if (String(chunk).includes('sending the foods')) resolve();
      });
      child.once('exit', () => resolve());
    });
    const ends = Promise.all([once(child, 'exit') as Promise<[number | null]>, text(child.stderr)]);
    return { isSending, ended: ends.then(([[code], said]) => ({ code, said })) };
  }
}

export async function clusterUnderFaults({
  source = foodData(),
  clients = 16,
  faults = Object.keys(FAULTS) as readonly FaultName[],
  rounds = 2,
} = {}): Promise<Figure[]> {
  const sources = [source, await halfOf(source)];
  const indexes = await Promise.all(
    sources.map(async (csv, i) => (await imported(csv, `cluster-${i}`)).index),
  );
  const answers = await rightAnswers(indexes, textsOf(await descriptionsIn(source), 200));
  const trial = new Trial(await Cluster.start(), sources, answers);
  try {
    await trial.begin();
    const figures: Figure[] = [];
    for (const fault of faults) figures.push(...(await trial.under(fault, rounds, clients)));
    return figures;
  } finally {
    await Promise.all(trial.services.map((service) => service.stop()));
    await trial.cluster.remove();
  }
}

/** An answer with its tag, which names the data set. */
async function askWithTag(service: { readonly port: number }, target: string): Promise<Reply> {
  const reply = await ask(service, target);
  return { ...reply, body: `${reply.headers.etag}\n${reply.body}` };
}

/** Those of services with the index files. Half of the texts are searched for by words. */
async function rightAnswers(indexes: readonly string[], texts: readonly string[]): Promise<Answers> {
  const searches = texts.map((text, i) => (i % 2 === 0 ? text : byWords(text)));
  const answersFrom = (index: string): Promise<string[]> =>
    onService({ FOOD_DATA: index }, async (service) => {
      const answers: string[] = [];
      for (const search of searches)
        answers.push((await askWithTag(service, targetOfSearch(search, 'right'))).body);
      return answers;
    });
  const answers = await Promise.all(indexes.map(answersFrom));
  return new Map(searches.map((search, i) => [search, answers.map((each) => each[i] ?? '')]));
}

/** Every second food. */
async function halfOf(source: string): Promise<string> {
  const half = `${FOLDER}/half.csv`;
  const [header = '', ...rows] = (await readFile(source, 'utf8')).split('\n');
  await writeFile(half, [header, ...rows.filter((_, i) => i % 2 === 0)].join('\n'));
  return half;
}

async function remakeOthers(cluster: Cluster, primary: ClusterServer): Promise<void> {
  for (const server of cluster.servers) {
    if (server === primary) continue;
    await cluster.healed();
    const status = await server.order('/reinitialize', { force: true });
    if (status !== 200) throw new Error(`reinitialize was answered ${status}`);
    await until('being made anew', async () => !(await server.is('replica')));
    await until('made anew', () => server.is('replica'));
  }
}

function figuresOf(fault: FaultName, row: Row, searches: SearchLoopResult): Figure[] {
  const { requests, failed, wrong, longest, longestFailing } = searches;
  const { election, imports, refused, lost } = row;
  return [
    { what: `${fault}: right answers`, value: count(requests - failed - wrong.length) },
    none('wrong answers, or with the tag of other data', wrong.length),
    { what: 'failed', value: count(failed) },
    { what: 'the longest time without an answer', value: ms(Math.max(longest, longestFailing)) },
    bounded('the longest time with failures', longestFailing, '≤', Math.max(election, WITHOUT_ELECTION), ms),
    { what: 'the longest election', value: ms(election) },
    { what: 'imports, of which failed and said so', value: `${imports}, ${refused}` },
    none('imports whose outcome was not as they said', lost),
  ];
}
