/**
 * Counters of the running service, and the text in which Prometheus reads them. Counting adds to plain numbers, which get
 * their names and labels at a scrape.
 */
import { type Aggregator, Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
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
type CountName = keyof typeof COUNTS;

type Values = Iterable<readonly [labels: Readonly<Record<string, string | number>>, value: number]>;

/** s, upper bounds; the last bucket has none. */
const BOUNDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
  0.5, 1, 2.5, 5,
] as const;

const BOUNDS_IN_MS = Float64Array.from(BOUNDS, (bound) => bound * 1000);

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * Counts durations in fixed buckets. The registry's own histogram looks up its labels at every observation, which would cost as
 * much as finding a cached answer; this one adds to an array, which is read at a scrape.
 */
class DurationHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  /** @param duration ms */
  record(duration: number): void {
    let bucket = 0;
    while (bucket < BOUNDS_IN_MS.length && duration > (BOUNDS_IN_MS[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += duration;
  }

  async get() {
    const { name, help, type } = this;
    let count = 0;
    const values = Array.from(this.#counts, (inBucket, bucket): Sample => {
      count += inBucket;
      return { metricName: `${name}_bucket`, labels: { le: BOUNDS[bucket] ?? '+Inf' }, value: count };
    });
    values.push(
      { metricName: `${name}_sum`, labels: {}, value: this.#sum / 1000 },
      { metricName: `${name}_count`, labels: {}, value: count },
    );
    return { name, help, type, values, aggregator: 'sum' };
  }
}

export class Metrics {
  readonly outcomes = zeros(OUTCOMES);
  readonly counts = zeros(COUNTS);
  /** Connections that are open, requests that wait for a search or a compression, and those of them that wait for their turn. */
  readonly levels = { connections: 0, waiting: 0, queued: 0 };
  readonly swaps = { served: 0, refused: 0 };
  readonly requests = new DurationHistogram(
    'food_lookup_request_duration_seconds',
    'From the parsed request to /api/food until its answer was handed to the system',
  );
  readonly searches = {
    text: new DurationHistogram(
      'food_lookup_search_duration_seconds',
      'The search for a text alone, if no answer was cached',
    ),
    words: new DurationHistogram(
      'food_lookup_words_search_duration_seconds',
      'The search by words alone, if no answer was cached',
    ),
    portions: new DurationHistogram(
      'food_lookup_portions_lookup_duration_seconds',
      'The lookup of portions alone, if no answer was cached',
    ),
  };
  /** Answers by how their text was matched, or of portions. */
  readonly matches = { text: 0, words: 0, portions: 0 };
  readonly #otherRequests = new Map<number, number>();

  /** Counts an answer of `/api/food`. @param duration ms */
  answered(outcome: Outcome, duration: number): void {
    this.outcomes[outcome]++;
    this.requests.record(duration);
  }

  answeredOther(status: number): void {
    this.#otherRequests.set(status, (this.#otherRequests.get(status) ?? 0) + 1);
  }

  /** A registry that reads these counters, and those of Node.js and the system. */
  registry(served: Operations): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    // On a public port it would disclose which vulnerabilities to try.
    registry.removeSingleMetric('nodejs_version_info');
    // The registry reads name, help and `get`, which the histograms have.
    for (const histogram of [this.requests, ...Object.values(this.searches)])
      registry.registerMetric(histogram as unknown as Metric);
    this.#addCounters(registry);
    addGauges(registry, served, this.levels);
    return registry;
  }

  #addCounters(registry: Registry): void {
    const add = (name: string, help: string, labelNames: string[], read: () => Values) =>
      new Counter({ ...sampled(name, help, labelNames, read), registers: [registry] });
    add('requests_total', 'Requests to /api/food by outcome', ['outcome'], () =>
      Object.entries(this.outcomes).map(([outcome, count]) => [{ outcome }, count]),
    );
    add(
      'answers_total',
      'Answers by how the text was matched, and those with the portions of a food',
      ['match'],
      () => Object.entries(this.matches).map(([match, count]) => [{ match }, count]),
    );
    add('other_requests_total', 'Requests to all other paths', ['status'], () =>
      Array.from(this.#otherRequests, ([status, count]) => [{ status }, count]),
    );
    add('data_set_swaps_total', 'New data sets while running', ['result'], () =>
      Object.entries(this.swaps).map(([result, count]) => [{ result }, count]),
    );
    for (const [key, [name, help]] of Object.entries(COUNTS))
      add(name, help, [], () => [[{}, this.counts[key as CountName]]]);
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

function addGauges(registry: Registry, served: Operations, levels: Metrics['levels']): void {
  // The aggregator combines the values of several threads into one.
  const add = (
    name: string,
    help: string,
    aggregator: Aggregator,
    labelNames: string[],
    read: () => Values,
  ) => new Gauge({ ...sampled(name, help, labelNames, read), aggregator, registers: [registry] });
  const addOne = (name: string, help: string, aggregator: Aggregator, read: () => number) =>
    add(name, help, aggregator, [], () => [[{}, read()]]);
  addOne('ready', '1 where the service is ready', 'min', () =>
    Number(typeof served.readiness() !== 'string'),
  );
  addOne('connections', 'Connections that are open', 'sum', () => levels.connections);
  addOne('requests_waiting', 'Requests that wait for a search or a compression', 'sum', () => levels.waiting);
  addOne(
    'data_set_age_seconds',
    'Time since the data set was last known to be the current one; 0 while it is',
    'max',
    () => served.catalog?.age?.() ?? 0,
  );
  addOne('data_set_foods', 'Foods that can be found', 'min', () => served.catalog?.dataSet.foods ?? 0);
  add('build_info', 'The version of food-lookup', 'first', ['version'], () => [[{ version }, 1]]);
  add('data_set_info', 'The data set that is served', 'min', ['name', 'date', 'identity'], () => {
    if (served.catalog === undefined) return [];
    const { name, date, identity } = served.catalog.dataSet;
    return [[{ name, date, identity }, 1]];
  });
}

const sampled = (name: string, help: string, labelNames: string[], read: () => Values) => ({
  name: `food_lookup_${name}`,
  help,
  labelNames,
  collect(this: Counter | Gauge): void {
    this.reset();
    for (const [labels, value] of read()) this.inc(labels, value);
  },
});

const zeros = <Name extends string>(names: Readonly<Record<Name, unknown>>): Record<Name, number> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<Name, number>;
