/**
 * Counts durations in fixed buckets. The registry's own histogram looks up its labels at every observation,
 * which would cost as much as finding a cached answer; this one adds to an array, which is read at a scrape.
 */

/** s, upper bounds; the last bucket has none. */
const BOUNDS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
  0.5, 1, 2.5, 5,
] as const;

const BOUNDS_IN_MS = Float64Array.from(BOUNDS, (bound) => bound * 1000);

/** A line of the text format of Prometheus. */
interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export class DurationHistogram {
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

  /** The values as the registry reads them. */
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
