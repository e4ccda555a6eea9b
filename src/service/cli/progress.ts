/** Shows the progress of an import on standard error: in a terminal one line, elsewhere a line every few seconds. */

import { amount, printable } from '#core';
import type { Progress } from '#tables';

/** ms between two lines. */
const INTERVAL = { terminal: 100, elsewhere: 5000 };

/** Clears the line of a terminal. */
const CLEAR = '\r\x1b[K';

export class ProgressDisplay {
  readonly #isTerminal = process.stderr.isTTY;
  #title = '';
  #started = Date.now();
  #shown = Date.now();

  update({ name, phase, share = 0, rows }: Progress): void {
    const now = Date.now();
    const title = printable(name === undefined ? phase : `${name}: ${phase}`);
    if (title !== this.#title) {
      this.stop();
      this.#title = title;
      this.#started = now;
      if (rows === undefined) process.stderr.write(`${title}\n`);
    }
    if (rows === undefined || now - this.#shown < INTERVAL[this.#isTerminal ? 'terminal' : 'elsewhere'])
      return;
    this.#shown = now;
    const percent = share > 0 ? `${Math.floor(100 * share)} %, ` : '';
    const left = share > 0 ? duration(((now - this.#started) * (1 - share)) / share) : '–';
    const figures = `, ${percent}${amount(rows)} rows, ${left} left`;
    const room = Math.max(0, process.stderr.columns - 1 - figures.length);
    const line = this.#isTerminal ? CLEAR + title.slice(0, room) + figures : `${title}${figures}\n`;
    process.stderr.write(line);
  }

  stop(): void {
    if (this.#isTerminal) process.stderr.write(CLEAR);
  }
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
