/**
 * Shows how far an import is: a bar in a terminal, a plain line now and then elsewhere. All on standard error.
 */
import { Presets, SingleBar } from 'cli-progress';
import { printable } from '../printable.ts';
import type { Progress } from '../readers/report/read-options.ts';
import { print } from './print.ts';

/** ms between two plain lines, and between two looks of the bar. */
const LINE_INTERVAL = 5000;
const BAR_INTERVAL = 100;

export class ProgressDisplay {
  readonly #bar: SingleBar | undefined;
  #phase = '';
  #started = Date.now();
  #shown = Date.now();

  constructor() {
    if (!process.stderr.isTTY) return;
    this.#bar = new SingleBar(
      {
        format: '{phase} {bar} {percentage} %, {rows} rows, {left} left',
        stream: process.stderr,
        hideCursor: true,
        clearOnComplete: true,
      },
      Presets.shades_classic,
    );
  }

  update({ source, phase, bytes, totalBytes, rows }: Progress): void {
    const now = Date.now();
    const name = printable(`${source}: ${phase}`);
    if (name !== this.#phase) {
      this.stop();
      this.#phase = name;
      this.#started = now;
      this.#bar?.start(1, 0, { phase: name, rows: '0', left: '–' });
    }
    if (now - this.#shown < (this.#bar === undefined ? LINE_INTERVAL : BAR_INTERVAL)) return;
    this.#shown = now;
    const share = totalBytes === undefined || totalBytes === 0 ? 0 : Math.min(1, bytes / totalBytes);
    const left = share > 0 ? duration(((now - this.#started) * (1 - share)) / share) : '–';
    const shownRows = rows.toLocaleString('en');
    this.#bar?.update(share, { phase: name, rows: shownRows, left });
    if (this.#bar !== undefined) return;
    const percent = share > 0 ? `${Math.floor(100 * share)} %, ` : '';
    print([`${name}, ${percent}${shownRows} rows, ${left} left`], process.stderr);
  }

  /** Ends what came before, and names what comes next. */
  phase(name: string): void {
    this.stop();
    print([name], process.stderr);
  }

  stop(): void {
    if (this.#bar?.isActive) this.#bar.stop();
  }
}

/** "8 s", "2 min 5 s" */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
