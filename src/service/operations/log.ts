/** The log: lines of JSON on standard error, or readable lines if that is a terminal. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isatty, WriteStream } from 'node:tty';
import { type LevelWithSilent, type Logger, pino } from 'pino';
import { printable, printableLines } from '#core';

/** @param isAtTerminal whether standard error is a terminal; `process.stderr` says so only in the first thread of a process */
export async function createLog(level: LevelWithSilent, isAtTerminal = isatty(2)): Promise<Logger> {
  const toStderr = (toText: (line: string) => string): Logger =>
    pino({ level }, { write: (line) => process.stderr.write(toText(harmless(line))) });
  if (!isAtTerminal) return toStderr((line) => line);
  const { prettyFactory } = await import('pino-pretty');
  // Node.js knows the terminals without colours, and NO_COLOR.
  const colorize = WriteStream.prototype.hasColors();
  return toStderr(
    prettyFactory({ colorize, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true }),
  );
}

/**
 * Makes every string in a line of JSON printable. Escaping the line itself would not do: the formatter for terminals decodes
 * the escapes of JSON.
 */
function harmless(line: string): string {
  if (!line.includes('\\') && printableLines(line) === line) return line;
  return `${JSON.stringify(JSON.parse(line, printableValue))}\n`;
}

/** A stack keeps its line breaks. */
function printableValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
}

/** A duration in ms with three decimals, as lines of the log have it. */
export const loggedMs = (ms: number): number => Number(ms.toFixed(3));

const USABLE_ID = /^[\w.:+/=-]{1,64}$/;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && USABLE_ID.test(given) ? given : randomUUID();
}
