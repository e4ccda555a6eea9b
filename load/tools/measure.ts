import { readFileSync } from 'node:fs';

export type Spread = ReturnType<typeof spreadOf>;

export function spreadOf(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: sorted.at(-1) ?? 0 };
}

export const median = (values: readonly number[]): number => spreadOf(values).p50;

/** Returns how many ms the call took, and its result. */
export function timed<Result>(call: () => Result): [ms: number, result: Result] {
  const start = performance.now();
  const result = call();
  return [performance.now() - start, result];
}

/** ms of processor time that the call took. */
export function processorTime(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Bytes of memory of a running process on Linux, now or at its peak. */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
}
