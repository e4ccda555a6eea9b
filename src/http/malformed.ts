/**
 * Answers input that never becomes a request: bytes that are not HTTP (400), headers that are too long (431), requests that
 * take too long to arrive (408), and CONNECT (405). Such an answer is the last one of its connection and waits for the answers
 * before it.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemCode } from '../errors.ts';
import { METHODS } from '../operations/outcomes.ts';
import { errorBody } from './errors.ts';
import { type HeaderList, JSON_TYPE, linesOf, NO_STORE } from './headers.ts';

/** ms that a client has to read the answer before its connection is closed. */
const LINGER = 1000;

export interface Fault {
  readonly status: string;
  readonly message: string;
  readonly headers?: HeaderList;
}

export const TIMED_OUT: Fault = {
  status: '408 Request Timeout',
  message: 'The request took too long to arrive.',
};
export const HEADERS_TOO_LONG: Fault = {
  status: '431 Request Header Fields Too Large',
  message: 'The request line and the headers are too long.',
};
/** For CONNECT, after which Node.js takes the connection for a tunnel. */
export const NO_TUNNEL: Fault = {
  status: '405 Method Not Allowed',
  message: 'Method CONNECT is not allowed here: this is not a proxy.',
  headers: ['Allow', METHODS],
};
const NOT_ENCODED: Fault = {
  status: '400 Bad Request',
  message:
    'The address of the request contains a character outside ASCII. It must be percent-encoded: %C3%A9 for é.',
};
const NOT_HTTP: Fault = { status: '400 Bad Request', message: 'The request is not valid HTTP.' };

/** What an error of Node.js' parser means to the client. */
export function faultOf(error: Error): Fault {
  switch (systemCode(error)) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TIMED_OUT;
    case 'HPE_HEADER_OVERFLOW':
      return HEADERS_TOO_LONG;
    case 'HPE_INVALID_URL':
      return stopsAtNonAscii(error) ? NOT_ENCODED : NOT_HTTP;
    default:
      return NOT_HTTP;
  }
}

/** Whether the parser stopped at a byte that is not ASCII. */
function stopsAtNonAscii(error: Error & { rawPacket?: Buffer; bytesParsed?: number }): boolean {
  return (error.rawPacket?.[error.bytesParsed ?? 0] ?? 0) >= 0x80;
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

function responseOf({ status, message, headers = [] }: Fault): string {
  const body = errorBody(message);
  const length = String(Buffer.byteLength(body));
  const about = ['Content-Type', JSON_TYPE, ...NO_STORE, ...headers, 'Content-Length', length];
  return `HTTP/1.1 ${status}\r\n${linesOf([...about, 'Connection', 'close'])}\r\n${body}`;
}
