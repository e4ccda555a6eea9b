/**
 * Shows the progress of an import on standard error: a bar in a terminal, elsewhere a plain line every few seconds.
 */
import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../readers/report/source-report.ts';
import { print } from '../system/process.ts';
import { amount, printable } from '../text/printable.ts';

/** ms between two plain lines, and between two updates of the bar. */
const LINE_INTERVAL = 5000;
const BAR_INTERVAL = 100;

export class ProgressDisplay {
  readonly #bar: SingleBar | undefined;
  #title = '';
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

  update({ name, phase, share = 0, rows }: Progress): void {
    const now = Date.now();
    const title = printable(name === undefined ? phase : `${name}: ${phase}`);
    if (title !== this.#title) {
      this.stop();
      this.#title = title;
      this.#started = now;
      if (rows === undefined) print([title], process.stderr);
      else this.#bar?.start(1, 0, { phase: title, rows: '0', left: '–' });
    }
    if (rows === undefined) return;
    if (now - this.#shown < (this.#bar === undefined ? LINE_INTERVAL : BAR_INTERVAL)) return;
    this.#shown = now;
    const left = share > 0 ? duration(((now - this.#started) * (1 - share)) / share) : '–';
    const shownRows = amount(rows);
    this.#bar?.update(share, { phase: title, rows: shownRows, left });
    if (this.#bar !== undefined) return;
    const percent = share > 0 ? `${Math.floor(100 * share)} %, ` : '';
    print([`${title}, ${percent}${shownRows} rows, ${left} left`], process.stderr);
  }

  stop(): void {
    if (this.#bar?.isActive) this.#bar.stop();
  }
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
