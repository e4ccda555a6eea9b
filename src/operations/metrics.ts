/**
 * Counters of the running service, and the text in which Prometheus reads them. Counting adds to plain numbers, which get
 * their names and labels at a scrape.
 */
import { type Aggregator, type Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { DataSet, FoodCatalog } from '../foods/catalog.ts';
import { version } from '../system/process.ts';
import { OUTCOMES, type Outcome } from './outcomes.ts';

const COUNTS = {
  answersCached: ['answer_cache_hits_total', 'Answers served from the cache'],
  answersSearched: ['answer_cache_misses_total', 'Answers made by a search'],
  answersLeftPlain: ['answers_left_plain_total', 'Answers not compressed because too many waited for that'],
  connections: ['connections_total', 'Connections accepted'],
  connectionsOverLimit: ['connections_over_limit_total', 'Connections accepted only to answer 503'],
  connectionsDropped: ['connections_dropped_total', 'Connections closed unread'],
  slowReadersClosed: ['slow_readers_closed_total', 'Connections closed because the answer was not read'],
  malformedRequests: [
    'malformed_requests_total',
    'Requests that are not valid HTTP or did not arrive in time',
  ],
} as const;

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [value: number, labels?: Labels, metricName?: string];

/**
 * Adds a metric that is read at a scrape: the registry needs only this of it.
 * @param aggregator combines the values of several threads into one
 */
type Add = (
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  read: () => number | readonly Sample[],
  aggregator?: Aggregator,
) => void;

const adderTo =
  (registry: Registry): Add =>
  (type, shortName, help, read, aggregator = 'sum') => {
    const name = `food_lookup_${shortName}`;
    const get = async () => {
      const found = read();
      const samples = typeof found === 'number' ? [[found] as const] : found;
      const values = samples.map(([value, labels = {}, metricName = name]) => ({
        value,
        labels,
        metricName,
      }));
      return { name, help, type, aggregator, values };
    };
    registry.registerMetric({ name, help, type, get } as unknown as Metric);
  };

/** One sample for each count. */
const byLabel = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([key, count]) => [count, { [label]: key }]);

/** s, upper bounds; the last bucket has none. */
const BOUNDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
  0.5, 1, 2.5, 5,
] as const;

const BOUNDS_IN_MS = Float64Array.from(BOUNDS, (bound) => bound * 1000);

/**
 * Counts durations in fixed buckets. The registry's own histogram looks up its labels at every observation, which would cost as
 * much as finding a cached answer.
 */
class Durations {
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  /** @param duration ms */
  record(duration: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_IN_MS.length && duration > (BOUNDS_IN_MS[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += duration;
  }

  addTo(add: Add, name: string, help: string): void {
    const of = (part: string): string => `food_lookup_${name}_${part}`;
    add('histogram', name, help, () => {
      let count = 0;
      const buckets = Array.from(this.#counts, (inBucket, bucket): Sample => {
        count += inBucket;
        return [count, { le: BOUNDS[bucket] ?? '+Inf' }, of('bucket')];
      });
      return [...buckets, [this.#sum / 1000, {}, of('sum')], [count, {}, of('count')]];
    });
  }
}

export class Metrics {
  readonly outcomes = zeros(OUTCOMES);
  readonly counts = zeros(COUNTS);
  /** Connections that are open, requests that wait for a search or a compression, and those of them that wait for their turn. */
  readonly levels = { connections: 0, waiting: 0, queued: 0 };
  readonly swaps = { served: 0, refused: 0 };
  readonly requests = new Durations();
  readonly searches = { text: new Durations(), words: new Durations(), portions: new Durations() };
  /** Answers by how their text was matched, or of portions. */
  readonly matches = { text: 0, words: 0, portions: 0 };
  /** By status. */
  readonly #otherRequests: Record<number, number> = {};

  /** Counts an answer of `/api/food`. @param duration ms */
  answered(outcome: Outcome, duration: number): void {
    this.outcomes[outcome]++;
    this.requests.record(duration);
  }

  answeredOther(status: number): void {
    this.#otherRequests[status] = (this.#otherRequests[status] ?? 0) + 1;
  }

  /** A registry that reads these counters, and those of Node.js and the system. */
  registry(served: Operations): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    // The library counts from now on; a counter of processor time counts from the start of the process.
    const { user, system } = process.cpuUsage();
    for (const [kind, used] of Object.entries({ user_: user, system_: system, '': user + system }))
      (registry.getSingleMetric(`process_cpu_${kind}seconds_total`) as Counter).inc(used / 1e6);
    // On a public port it would disclose which vulnerabilities to try.
    registry.removeSingleMetric('nodejs_version_info');
    const add = adderTo(registry);
    this.#addTimes(add);
    this.#addCounts(add);
    addState(add, served);
    return registry;
  }

  #addTimes(add: Add): void {
    const { text, words, portions } = this.searches;
    const request = 'From the parsed request to /api/food until its answer was handed to the system';
    this.requests.addTo(add, 'request_duration_seconds', request);
    const unless = 'alone, if no answer was cached';
    text.addTo(add, 'search_duration_seconds', `The search for a text ${unless}`);
    words.addTo(add, 'words_search_duration_seconds', `The search by words ${unless}`);
    portions.addTo(add, 'portions_lookup_duration_seconds', `The lookup of portions ${unless}`);
  }

  #addCounts(add: Add): void {
    const { outcomes, matches, swaps, levels } = this;
    const answers = 'Answers by how the text was matched, and those with the portions of a food';
    const others = 'Requests to all other paths';
    add('counter', 'requests_total', 'Requests to /api/food by outcome', () => byLabel('outcome', outcomes));
    add('counter', 'answers_total', answers, () => byLabel('match', matches));
    add('counter', 'other_requests_total', others, () => byLabel('status', this.#otherRequests));
    add('counter', 'data_set_swaps_total', 'New data sets while running', () => byLabel('result', swaps));
    for (const [key, [name, help]] of Object.entries(COUNTS))
      add('counter', name, help, () => this.counts[key as keyof typeof COUNTS]);
    add('gauge', 'connections', 'Connections that are open', () => levels.connections);
    add(
      'gauge',
      'requests_waiting',
      'Requests that wait for a search or a compression',
      () => levels.waiting,
    );
  }
}

/** The state that a process reports to its operator: whether it is ready, and what it has counted. */
export class Operations {
  readonly metrics = new Metrics();
  /** What is served; undefined until it is loaded. */
  catalog: FoodCatalog | undefined;
  isStopping = false;
  /** What Prometheus reads: the figures of all threads. */
  report = (): Promise<string> => this.registry().metrics();
  #registry: Registry | undefined;

  registry(): Registry {
    this.#registry ??= this.metrics.registry(this);
    return this.#registry;
  }

  /** The data set, or the reason why searches cannot be answered. */
  readiness(): DataSet | string {
    if (this.isStopping) return 'The service is stopping.';
    if (this.catalog === undefined) return 'The data set is being loaded.';
    return this.catalog.unavailable?.() ?? this.catalog.dataSet;
  }
}

function addState(add: Add, served: Operations): void {
  const age = 'Time since the data set was last known to be the current one; 0 while it is';
  const isReady = () => Number(typeof served.readiness() !== 'string');
  const dataSet = (): Sample[] => {
    if (served.catalog === undefined) return [];
    const { name, date, identity } = served.catalog.dataSet;
    return [[1, { name, date, identity }]];
  };
  add('gauge', 'ready', '1 where the service is ready', isReady, 'min');
  add('gauge', 'data_set_age_seconds', age, () => served.catalog?.age?.() ?? 0, 'max');
  add('gauge', 'data_set_foods', 'Foods that can be found', () => served.catalog?.dataSet.foods ?? 0, 'min');
  add('gauge', 'build_info', 'The version of food-lookup', () => [[1, { version }]], 'first');
  add('gauge', 'data_set_info', 'The data set that is served', dataSet, 'min');
}

const zeros = <Name extends string>(names: Readonly<Record<Name, unknown>>): Record<Name, number> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<Name, number>;
