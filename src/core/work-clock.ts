/**
 * A clock that runs only while this process works, or has nothing to do. It stands still while the process gets no processor:
 * while it is stopped, its machine suspended, or others use the cores. What is late by this clock is late because of the
 * process, not of its machine.
 */

/** ms without anything to do that count at most between two readings: a process may be stopped while it waits, too. */
const LONGEST_IDLE = 50;

/** Of this thread, where this Node.js knows it; else of the process. */
const cpuUsage = (): NodeJS.CpuUsage =>
  (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.() ?? process.cpuUsage();

/** What Node.js adds to the `performance` of browsers. */
type EventLoop = typeof performance & { eventLoopUtilization(): { readonly idle: number } };

export class WorkClock {
  /** ms until the last reading. A difference is at most that of `performance.now()`. */
  time = 0;
  /** When it was last read, as of `performance.now()`. */
  readAt = 0;
  #used = 0;
  #idle = 0;

  /** Takes 0.7 µs. @param now as of `performance.now()` */
  read(now = performance.now()): number {
    const { user, system } = cpuUsage();
    const used = (user + system) / 1000;
    const { idle } = (performance as EventLoop).eventLoopUtilization();
    this.time += Math.min(now - this.readAt, used - this.#used + Math.min(idle - this.#idle, LONGEST_IDLE));
    this.readAt = now;
    this.#used = used;
    this.#idle = idle;
    return this.time;
  }
}
