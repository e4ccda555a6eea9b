/**
 * The log: lines of JSON on standard error, or readable ones where that is a terminal.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Logger, pino } from 'pino';
import { printable, printableLines } from '../printable.ts';
import type { LogLevel } from '../settings.ts';

export async function createLog(level: LogLevel): Promise<Logger> {
  const toStderr = (toText: (line: string) => string): Logger =>
    pino({ level }, { write: (line) => process.stderr.write(toText(line)) });
  if (!process.stderr.isTTY) return toStderr(printableLines);
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
  return toStderr((line) => pretty(JSON.parse(line, harmless)));
}

/** Before colours are added, which are escape sequences themselves. A stack has lines. */
const harmless = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
};

const USABLE_ID = /^[\w.:+/=-]{1,64}$/;

/** The id that a proxy gave a request, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && USABLE_ID.test(given) ? given : randomUUID();
}
