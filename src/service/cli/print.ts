import { printable } from '#core';

/** Every command prints through this function, so that nothing from outside reaches a terminal raw. */
export function print(lines: readonly string[], to: NodeJS.WritableStream = process.stdout): void {
  to.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

export const printJson = (value: object): void => print(JSON.stringify(value, null, 2).split('\n'));
