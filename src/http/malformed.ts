/**
 * Finds faults of requests, and answers input that never becomes a request: bytes that are not HTTP (400), headers that are too
 * long (431), requests that take too long to arrive (408), and CONNECT (405). Such an answer is the last one of its connection and
 * waits for the answers before it.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { SEARCH } from '../operations/outcomes.ts';
import { systemCode } from '../system/errors.ts';
import { errorResult, header } from './responses.ts';

/** ms that a client has to read the answer before its connection is closed. */
const LINGER = 1000;

export interface Fault {
  readonly status: number;
  readonly message: string;
  readonly headers?: string | undefined;
}

const fault = (status: number, message: string, headers?: string): Fault => ({ status, message, headers });

export const TIMED_OUT = fault(408, 'The request took too long to arrive.');
const HEADERS_TOO_LONG = fault(431, 'The request line and the headers are too long.');
/** For CONNECT, after which Node.js takes the connection for a tunnel. */
export const NO_TUNNEL = fault(
  405,
  'Method CONNECT is not allowed here: this is not a proxy.',
  header('Allow', SEARCH.methods),
);
const NOT_ENCODED = fault(
  400,
  'The address of the request contains a character outside ASCII. It must be percent-encoded: %C3%A9 for é.',
);
const NOT_HTTP = fault(400, 'The request is not valid HTTP.');
const LATER_VERSION = fault(505, 'The service understands HTTP/1.1, and no later version.');
const FRAGMENT = fault(400, 'The address of the request contains a #. It must be percent-encoded: %23.');
const badHost = (what: string): Fault => fault(400, `The header Host is ${what}.`);
const TWO_HOSTS = badHost('there more than once');
const NO_HOST = badHost('missing');
const NOT_A_HOST = badHost('neither a name nor an address, with or without a port');

/** @param error of the parser of Node.js */
export function faultOf(error: Error): Fault {
  const { rawPacket, bytesParsed = 0 } = error as { rawPacket?: Buffer; bytesParsed?: number };
  switch (systemCode(error)) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TIMED_OUT;
    case 'HPE_HEADER_OVERFLOW':
      return HEADERS_TOO_LONG;
    case 'HPE_INVALID_URL':
      return (rawPacket?.[bytesParsed] ?? 0) >= 0x80 ? NOT_ENCODED : NOT_HTTP;
    default:
      return NOT_HTTP;
  }
}

/** A name, which may be empty, or an IPv4 address (RFC 3986, 3.2.2); and a port. */
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i;

/** An IPv6 address, as some clients write it with its zone: `[fe80::1%eth0]:3001`. */
const IPV6 = /^\[([\da-f:.]+)(?:%[\w.~-]+)?\](?::\d*)?$/i;

/** The last valid `Host`: most requests have the same. */
let lastHost = '';

/** The fault of a request, after which its connection is closed. */
export function requestFaultOf(request: IncomingMessage): Fault | undefined {
  if (request.httpVersionMajor > 1) return LATER_VERSION;
  return hostFaultOf(request) ?? (request.url?.includes('#') ? FRAGMENT : undefined);
}

/** What is wrong with the header `Host` (RFC 9112, 3.2). */
function hostFaultOf({ httpVersion, rawHeaders }: IncomingMessage): Fault | undefined {
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return TWO_HOSTS;
    host = rawHeaders[i + 1] as string;
  }
  if (host === undefined) return httpVersion === '1.1' ? NO_HOST : undefined;
  if (host === lastHost) return undefined;
  if (!NAME.test(host) && !isIPv6(IPV6.exec(host)?.[1] ?? '')) return NOT_A_HOST;
  lastHost = host;
  return undefined;
}

const refused = new WeakSet<Socket>();

/** Whether the last answer of a connection is decided. Node.js keeps reporting errors up to the end of the input. */
export const isRefused = (socket: Socket): boolean => refused.has(socket);

/** Ends a connection with a fault, as soon as all answers before it are written. @param newest answer of the connection */
export function refuse(fault: Fault, socket: Socket, newest: ServerResponse | undefined): void {
  if (isRefused(socket)) return;
  refused.add(socket);
  discardInput(socket);
  inTurn(newest, (isAnswered) => end(socket, isAnswered ? '' : responseOf(fault)));
}

/**
 * Reads the rest of the input and discards it: closing with unread bytes would reset the connection, and the client might never
 * see the answer.
 */
export function discardInput(socket: Socket): void {
  socket.removeAllListeners('data').on('data', () => {});
}

/** Waits for the answers before that to a fault. A request at fault that has its answer already gets no second one. */
function inTurn(newest: ServerResponse | undefined, write: (isAnswered: boolean) => void): void {
  // The newest request is the one at fault if its body is incomplete.
  const isAtFault = newest?.req.complete === false;
  if (newest === undefined || newest.closed) write(isAtFault);
  else if (!isAtFault || newest.headersSent) newest.once('close', () => write(isAtFault));
  else if (newest.socket !== null) write(false);
  else newest.once('socket', () => inTurn(newest, write));
}

function end(socket: Socket, response: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer)).end(response);
}

function responseOf({ status, message, headers = '' }: Fault): string {
  const { body, headers: about } = errorResult(status, message, headers);
  const last = header('Content-Length', String(body.length)) + header('Connection', 'close');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${about}${last}\r\n${body}`;
}
