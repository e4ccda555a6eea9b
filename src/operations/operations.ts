/**
 * The state that a process reports to its operator: whether it is ready, and what it has counted.
 */
import type { Registry } from 'prom-client';
import type { DataSet, FoodCatalog } from '../catalog.ts';
import { Metrics } from './metrics.ts';

export class Operations {
  readonly metrics = new Metrics();
  /** What is served; undefined until it is loaded. */
  catalog: FoodCatalog | undefined;
  isStopping = false;
  /** What Prometheus reads: the figures of all threads. */
  report = (): Promise<string> => this.registry().metrics();
  #registry: Registry | undefined;

  /** The figures of this thread. */
  registry(): Registry {
    this.#registry ??= this.metrics.registry(this);
    return this.#registry;
  }

  /** The data set, or the reason why searches cannot be answered, in one sentence. */
  readiness(): DataSet | string {
    if (this.isStopping) return 'The service is stopping.';
    if (this.catalog === undefined) return 'The data set is being loaded.';
    return this.catalog.unavailable?.() ?? this.catalog.dataSet;
  }
}
