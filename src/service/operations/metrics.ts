/**
 * Counters of the running service, and the text in which Prometheus reads them. Counting adds to plain numbers, which get their
 * names and labels at a scrape.
 */
import { type Aggregator, type Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { DataSet, FoodCatalog } from '#core';
import { LOOKUP_KINDS, LOOKUPS, type LookupKind, OUTCOMES } from './outcomes.ts';
import { version } from './process.ts';

const PREFIX = 'food_lookup_';

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

type Sample = readonly [
  value: number,
  labels?: Readonly<Record<string, string | number>>,
  metricName?: string,
];

/** s, upper bounds; the last bucket has none. */
const BOUNDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
  0.5, 1, 2.5, 5,
] as const;

/** Counts durations in s. The library's own histogram takes a microsecond for each, a twentieth of a cached answer. */
class Durations {
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  samples(name: string): Sample[] {
    let count = 0;
    const buckets = Array.from(this.#counts, (inBucket, bucket): Sample => {
      count += inBucket;
      return [count, { le: BOUNDS[bucket] ?? '+Inf' }, `${name}_bucket`];
    });
    return [...buckets, [this.#sum, {}, `${name}_sum`], [count, {}, `${name}_count`]];
  }
}

export class Metrics {
  readonly outcomes = zeros(OUTCOMES);
  readonly counts = zeros(COUNTS);
  /** Connections that are open, and requests that wait for a search or a compression. */
  readonly levels = { connections: 0, waiting: 0 };
  readonly swaps = { served: 0, refused: 0 };
  readonly requests = new Durations();
  readonly searches = byKind(() => new Durations());
  readonly matches = byKind(() => 0);
  /** By status: requests to all paths but `/api/food`. */
  readonly otherRequests: Record<number, number> = {};
}

export class Operations {
  readonly metrics = new Metrics();
  /** What is served; undefined until it is loaded. */
  catalog: FoodCatalog | undefined;
  isStopping = false;
  /** What Prometheus reads: the figures of all threads. */
  report = (): Promise<string> => this.registry().metrics();
  #registry: Registry | undefined;

  registry(): Registry {
    this.#registry ??= registryOf(this);
    return this.#registry;
  }

  /** The data set, or the reason why searches cannot be answered. */
  readiness(): DataSet | string {
    if (this.isStopping) return 'The service is stopping.';
    if (this.catalog === undefined) return 'The data set is being loaded.';
    return this.catalog.unavailable?.() ?? this.catalog.dataSet;
  }
}

/** A registry that reads the counters of a process, and those of Node.js and the system. */
function registryOf(served: Operations): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The library counts from now on; a counter of processor time counts from the start of the process.
  const { user, system } = process.cpuUsage();
  for (const [kind, used] of Object.entries({ user_: user, system_: system, '': user + system }))
    (registry.getSingleMetric(`process_cpu_${kind}seconds_total`) as Counter).inc(used / 1e6);
  // On a public port it would disclose which vulnerabilities to try.
  registry.removeSingleMetric('nodejs_version_info');
  const add = adderTo(registry);
  addDurations(add, served.metrics);
  addCounts(add, served.metrics);
  addState(add, served);
  return registry;
}

type Add = ReturnType<typeof adderTo>;

/**
 * Adds a metric that is read at a scrape: the registry needs only this of it.
 * @param aggregator combines the values of several threads into one
 */
const adderTo =
  (registry: Registry) =>
  (
    type: 'counter' | 'gauge' | 'histogram',
    shortName: string,
    help: string,
    read: (name: string) => number | readonly Sample[],
    aggregator: Aggregator = 'sum',
  ): void => {
    const name = PREFIX + shortName;
    const get = async () => {
      const found = read(name);
      const samples: readonly Sample[] = typeof found === 'number' ? [[found]] : found;
      const values = samples.map(([value, labels = {}, metricName = name]) => ({
        value,
        labels,
        metricName,
      }));
      return { name, help, type, aggregator, values };
    };
    registry.registerMetric({ name, help, type, get } as unknown as Metric);
  };

const byLabel = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([key, count]) => [count, { [label]: key }]);

function addDurations(add: Add, { requests, searches: { text, words, ...lookups } }: Metrics): void {
  const addTo = (durations: Durations, name: string, help: string) =>
    add('histogram', name, help, (fullName) => durations.samples(fullName));
  const request = 'From the parsed request to /api/food until its answer was handed to the system';
  addTo(requests, 'request_duration_seconds', request);
  const unless = 'alone, if no answer was cached';
  addTo(text, 'search_duration_seconds', `The search for a text ${unless}`);
  addTo(words, 'words_search_duration_seconds', `The search by words ${unless}`);
  for (const [kind, durations] of Object.entries(lookups))
    addTo(durations, `${kind}_lookup_duration_seconds`, `The lookup of ${kind} ${unless}`);
}

function addCounts(add: Add, { outcomes, matches, otherRequests, swaps, counts, levels }: Metrics): void {
  const lookups = LOOKUPS.map(({ match }) => match).join(', ');
  const answers = `Searches answered, by how the text was matched, and look-ups answered: ${lookups}`;
  const waiting = 'Requests that wait for a search or a compression';
  add('counter', 'requests_total', 'Requests to /api/food by outcome', () => byLabel('outcome', outcomes));
  add('counter', 'answers_total', answers, () => byLabel('match', matches));
  add('counter', 'other_requests_total', 'Requests to all other paths', () =>
    byLabel('status', otherRequests),
  );
  add('counter', 'data_set_swaps_total', 'New data sets while running', () => byLabel('result', swaps));
  for (const [key, [name, help]] of Object.entries(COUNTS))
    add('counter', name, help, () => counts[key as keyof typeof COUNTS]);
  add('gauge', 'connections', 'Connections that are open', () => levels.connections);
  add('gauge', 'requests_waiting', waiting, () => levels.waiting);
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

const byKind = <Value>(of: () => Value) =>
  Object.fromEntries(LOOKUP_KINDS.map((kind) => [kind, of()])) as Record<LookupKind, Value>;

const zeros = <Name extends string>(names: Readonly<Record<Name, unknown>>): Record<Name, number> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<Name, number>;
