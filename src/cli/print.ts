/**
 * Where everything that the commands print goes through, so that nothing from outside reaches a terminal raw.
 */
import { printable } from '../printable.ts';

/** Each line by itself: a line break within one is escaped. */
export function print(lines: readonly string[], to: NodeJS.WritableStream = process.stdout): void {
  to.write(lines.map((line) => `${printable(line)}\n`).join(''));
}
