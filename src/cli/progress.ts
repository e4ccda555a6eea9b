/**
 * Shows how far an import is: a bar in a terminal, a plain line now and then elsewhere. All on standard error.
 */
import { Presets, SingleBar } from 'cli-progress';

/** ms between two plain lines. */
const LINE_INTERVAL = 5000;

export class Progress {
  readonly #bar: SingleBar | undefined;
  #started = Date.now();
  #lastLine = Date.now();

  constructor() {
    if (!process.stderr.isTTY) return;
    this.#bar = new SingleBar(
      {
        format: 'reading {bar} {percentage} %, {rows} rows, {left} left',
        stream: process.stderr,
        hideCursor: true,
        clearOnComplete: true,
      },
      Presets.shades_classic,
    );
    this.#bar.start(1, 0, { rows: '0', left: '–' });
  }

  /** @param share of the work that is done, 0 to 1 */
  update(share: number, rows: number): void {
    const now = Date.now();
    const left = share > 0 ? duration(((now - this.#started) * (1 - share)) / share) : '–';
    const shownRows = rows.toLocaleString('en');
    this.#bar?.update(share, { rows: shownRows, left });
    if (this.#bar !== undefined || now - this.#lastLine < LINE_INTERVAL) return;
    this.#lastLine = now;
    process.stderr.write(`reading: ${Math.floor(100 * share)} %, ${shownRows} rows, ${left} left\n`);
  }

  /** Ends the reading, or the phase before, and names what comes next. */
  phase(name: string): void {
    this.stop();
    process.stderr.write(`${name}\n`);
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
