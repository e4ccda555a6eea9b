/**
 * Sends results, and skips the input of requests without a body. Both have a fast way over fields of Node.js that are neither
 * documented nor typed. They are the same in Node.js 20 to 26; where they have changed, the public way is taken.
 *
 * Processor time of a cached answer without them, on Node.js 20.20 (16 connections, alternating): +6 % if the input is not skipped,
 * +20 % with `writeHead` and `end`, +30 % without both: what is saved are calls of `process.nextTick` and allocated bytes.
 */
import { createHook } from 'node:async_hooks';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { release } from './answer-memory.ts';
import { header, type Result } from './responses.ts';

interface InputState {
  _dumped: boolean;
  readonly _readableState: { ended: boolean; endEmitted: boolean };
}

interface OutputState {
  _storeHeader(start: string, headers: readonly string[]): void;
  readonly _header: string;
  _headerSent: boolean;
}

/** Bytes of head and body; longer answers are rare, because a hundred foods take about 20 kB. */
const PIECE_SIZE = 32 * 1024;
const LONGEST_HEAD = 8 * 1024;

let piece = Buffer.allocUnsafeSlow(PIECE_SIZE);

/** Whether a body follows the headers of a request. */
export const hasInput = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * A request without a body has no input. Node.js would start its stream only to see it end, with eight of the ten calls of
 * `process.nextTick` that an answer takes. The option `optimizeEmptyRequests` of newer versions would do this for all routes, and
 * those of Fastify may wait for the end.
 */
export function skipInput(request: IncomingMessage): void {
  const input = request as unknown as Partial<InputState>;
  const { _dumped, _readableState: state } = input;
  if (_dumped !== false || state?.ended !== false || state.endEmitted !== false || hasInput(request)) return;
  input._dumped = true;
  state.ended = true;
  state.endEmitted = true;
}

/** Lets the connection stay open although no `100 Continue` is sent: Node.js would close it, even if no body follows. */
export function dropExpectation(response: ServerResponse): void {
  (response as unknown as { _expect_continue: boolean })._expect_continue = false;
}

/** Sends a result. Its headers contain nothing that a client could have chosen, other than percent-encoded. */
export function send(response: ServerResponse, result: Result): void {
  const { status, body } = result;
  if (CAN_SEND_AT_ONCE && status === 200 && body !== undefined && isFree(response, body))
    sendAtOnce(response, result, body);
  else sendPublicly(response, result);
}

/** Whether nothing else is to be written: neither an earlier answer nor headers that Fastify has set. */
function isFree(response: ServerResponse, body: Buffer): boolean {
  const { socket, req } = response;
  if (socket === null || !socket.writable || socket.writableLength > 0 || req.method !== 'GET') return false;
  return body.length <= PIECE_SIZE - LONGEST_HEAD && response.getHeaderNames().length === 0;
}

function sendPublicly(response: ServerResponse, { status, headers, body }: Result): void {
  // Names and values. A regular expression would take seven times as long.
  const list: string[] = [];
  for (let at = 0; at < headers.length; ) {
    const colon = headers.indexOf(': ', at);
    const end = headers.indexOf('\r\n', colon);
    list.push(headers.slice(at, colon), headers.slice(colon + 2, end));
    at = end + 2;
  }
  if (body !== undefined) list.push('Content-Length', String(body.length));
  response.writeHead(status, list);
  response.end(body);
}

/** As one piece of memory: `writeHead` would check and join the headers, and `end` pass head, body and end on separately. */
function sendAtOnce(response: ServerResponse, { headers }: Result, body: Buffer): void {
  const output = response as unknown as OutputState;
  // By its length Node.js knows that the body is not sent in chunks.
  output._storeHeader(`HTTP/1.1 200 OK\r\n${headers}`, ['Content-Length', String(body.length)]);
  const head = output._header;
  piece.write(head, 'latin1');
  piece.set(body, head.length);
  output._headerSent = true;
  const { socket } = response as { socket: Socket };
  socket.write(piece.subarray(0, head.length + body.length));
  // The system has not taken all of it, and reads the rest later.
  if (socket.writableLength > 0) piece = Buffer.allocUnsafeSlow(PIECE_SIZE);
  response.end();
  release(body);
}

function writtenBy(way: (response: ServerResponse) => void): string {
  let written = '';
  const socket = new Duplex({
    read: () => {},
    write: (bytes: Buffer, _encoding, done) => {
      written += bytes.toString('latin1');
      done();
    },
  }) as Socket;
  const response = new ServerResponse(new IncomingMessage(socket));
  response.sendDate = false;
  response.assignSocket(socket);
  way(response);
  return response.headersSent && response.writableEnded ? written : '';
}

function canSendAtOnce(): boolean {
  const body = Buffer.from('[{"description":"Käse"}]');
  const headers = header('Content-Type', 'text/plain') + header('ETag', '"x: y"');
  const result = { status: 200, headers, body };
  try {
    const written = writtenBy((response) => sendAtOnce(response, result, body));
    return written !== '' && written === writtenBy((response) => sendPublicly(response, result));
  } catch {
    return false;
  }
}

export const CAN_SEND_AT_ONCE = canSendAtOnce();

const retained: object[] = [];

/**
 * Keeps `process.nextTick` fast; call it once, early in the life of the process. Each call of `nextTick` creates an object with
 * computed keys. If a few major garbage collections find none, as while a data set is loaded, V8 discards the shape that it has
 * compiled, and never learns it again, which costs 19 % of all answers a second (Node.js 20.20; `npm run torture -- idle`). One
 * object that is never released keeps the shape alive.
 */
export function keepTickObject(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') retained.push(resource);
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
}
