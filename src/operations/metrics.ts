/**
 * What is counted while the service runs, and the text in which Prometheus reads it. Counting adds to plain
 * numbers; names and labels are put to them when they are asked for.
 */
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import type { FoodCatalog } from '../catalog.ts';
import { DurationHistogram } from './histogram.ts';

/** How a request to `/api/food` can end. */
const OUTCOMES = [
  'found',
  'nothing_found',
  'not_modified',
  'missing_text',
  'preflight',
  'method_not_allowed',
  'too_long',
  'rate_limited',
  'overloaded',
  'unavailable',
  'failed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const COUNTS = {
  answersKept: ['answer_cache_hits_total', 'Answers that were kept from an earlier request'],
  answersMade: ['answer_cache_misses_total', 'Answers that were made by a search'],
  answersLeftPlain: ['answers_left_plain_total', 'Answers not compressed because too many waited for that'],
  connections: ['connections_total', 'Connections accepted'],
  connectionsOverLimit: ['connections_over_limit_total', 'Connections accepted for a 503 alone'],
  connectionsDropped: ['connections_dropped_total', 'Connections closed unread'],
  slowReadersClosed: ['slow_readers_closed_total', 'Connections closed because the answer was not read'],
  malformedRequests: [
    'malformed_requests_total',
    'Requests that are no valid HTTP, or did not arrive in time',
  ],
} as const;
type CountName = keyof typeof COUNTS;

/** Of whom the rest is asked at each scrape. */
interface Served {
  /** Undefined: nothing is loaded yet. */
  readonly catalog: FoodCatalog | undefined;
  readiness(): unknown;
}

export class Metrics {
  readonly outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  readonly counts = Object.fromEntries(Object.keys(COUNTS).map((name) => [name, 0])) as Record<
    CountName,
    number
  >;
  /** Connections that are open, and requests that wait for a search or a compression. */
  readonly levels = { connections: 0, waiting: 0 };
  readonly swaps = { served: 0, refused: 0 };
  readonly requests = new DurationHistogram(
    'food_lookup_request_duration_seconds',
    'From the parsed request to /api/food until its answer was handed to the system',
  );
  readonly searches = new DurationHistogram(
    'food_lookup_search_duration_seconds',
    'The search alone, where no answer was kept',
  );
  readonly #otherRequests = new Map<number, number>();

  /** Counts an answer of `/api/food`. @param duration ms */
  answered(outcome: Outcome, duration: number): void {
    this.outcomes[outcome]++;
    this.requests.record(duration);
  }

  /** Counts an answer of any other path. */
  answeredOther(status: number): void {
    this.#otherRequests.set(status, (this.#otherRequests.get(status) ?? 0) + 1);
  }

  /** A registry that reads all of it, and what Node.js and the system tell of the process. */
  registry(served: Served): Registry {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    // On a public port it would tell which faults to try.
    registry.removeSingleMetric('nodejs_version_info');
    // It needs a name, a text of help and the function that gives its values, as the registry's own do.
    for (const histogram of [this.requests, this.searches])
      registry.registerMetric(histogram as unknown as Metric);
    const registers = [registry];

    const counter = (name: string, help: string, label: string, read: () => Iterable<[unknown, number]>) =>
      new Counter({
        name: `food_lookup_${name}`,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset();
          for (const [value, count] of read()) this.inc({ [label]: String(value) }, count);
        },
      });
    counter('requests_total', 'Requests to /api/food by what became of them', 'outcome', () =>
      Object.entries(this.outcomes),
    );
    counter('other_requests_total', 'Requests to all other paths', 'status', () => this.#otherRequests);
    counter('data_set_swaps_total', 'New data sets that came while running', 'result', () =>
      Object.entries(this.swaps),
    );
    for (const [key, [name, help]] of Object.entries(COUNTS)) {
      new Counter({
        name: `food_lookup_${name}`,
        help,
        registers,
        collect: this.#collector(key as CountName),
      });
    }

    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name: `food_lookup_${name}`,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    gauge('ready', '1 where searches are answered', () => Number(typeof served.readiness() !== 'string'));
    gauge('connections', 'Connections that are open', () => this.levels.connections);
    gauge('requests_waiting', 'Requests that wait for a search or a compression', () => this.levels.waiting);
    gauge(
      'data_set_age_seconds',
      'Time since the data set was last known to be the current one; 0 while it is',
      () => served.catalog?.age?.() ?? 0,
    );
    gauge('data_set_foods', 'Foods that can be found', () => served.catalog?.dataSet.foods ?? 0);
    new Gauge({
      name: 'food_lookup_data_set_info',
      help: 'The data set that is served',
      labelNames: ['name', 'date', 'identity'],
      registers,
      collect() {
        this.reset();
        if (served.catalog === undefined) return;
        const { name, date, identity } = served.catalog.dataSet;
        this.set({ name, date, identity }, 1);
      },
    });
    return registry;
  }

  #collector(name: CountName) {
    const { counts } = this;
    return function (this: Counter): void {
      this.reset();
      this.inc(counts[name]);
    };
  }
}
