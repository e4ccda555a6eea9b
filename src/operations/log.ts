/**
 * The log: lines of JSON on standard error, or readable ones where that is a terminal.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Logger, pino } from 'pino';
import type { LogLevel } from '../settings.ts';

export async function createLog(level: LogLevel): Promise<Logger> {
  if (!process.stderr.isTTY) return pino({ level }, process.stderr);
  const { default: pretty } = await import('pino-pretty');
  const readable = pretty({
    destination: process.stderr,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
  return pino({ level }, readable);
}

const USABLE_ID = /^[\w.:+/=-]{1,64}$/;

/** The id that a proxy gave a request, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && USABLE_ID.test(given) ? given : randomUUID();
}
