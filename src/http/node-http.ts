/**
 * What the service uses of Node.js' requests and responses although it is neither documented nor typed. It is the same in all
 * versions from 20 to 26, and saves the search a part of the time that Node.js itself takes for an answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from './headers.ts';

interface InputState {
  _dumped: boolean;
  readonly _readableState: { ended: boolean; endEmitted: boolean };
}

interface OutputState {
  _storeHeader(start: string, headers: HeaderList): void;
  readonly _header: string;
  _headerSent: boolean;
  readonly _hasBody: boolean;
}

/** Longer answers are rare: a hundred foods take about 20 kB. */
const PIECE_SIZE = 32 * 1024;

/** The head and the body of the answer that is sent now. */
let piece = Buffer.allocUnsafeSlow(PIECE_SIZE);

/** Whether a body follows the headers of a request. */
export const hasInput = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * A request without a body has no input. Node.js would start its stream only to see it end, with eight of the ten calls of
 * `process.nextTick` that an answer takes (Node.js 20) and a twentieth of its time. Newer versions do what this does if they are
 * created with `optimizeEmptyRequests`; but then for all routes, and those of Fastify may wait for the end.
 */
export function skipInput(request: IncomingMessage): void {
  if (hasInput(request)) return;
  const input = request as unknown as InputState;
  input._dumped = true;
  input._readableState.ended = true;
  input._readableState.endEmitted = true;
}

/** Lets the connection stay open although no `100 Continue` is sent: Node.js would close it, even if no body follows. */
export function dropExpectation(response: ServerResponse): void {
  (response as unknown as { _expect_continue: boolean })._expect_continue = false;
}

/**
 * Sends a response with the status 200, as `writeHead` and `end` do, with headers that are lines already, and as one piece of
 * memory. `writeHead` would check and join the headers anew for each response, and `end` would pass head, body and end to the
 * system separately.
 * @param lines contain nothing that a client could have chosen, other than percent-encoded
 * @param length the header `Content-Length`, by which Node.js knows that the body is not sent in chunks
 * @returns whether the body was copied, so that its memory can be used again
 */
export function send(response: ServerResponse, lines: string, length: HeaderList, body: Buffer): boolean {
  const output = response as unknown as OutputState;
  output._storeHeader(`HTTP/1.1 200 OK\r\n${lines}`, length);
  const { socket } = response;
  const head = output._header;
  const size = head.length + body.length;
  // A response without socket waits for the one before it; one to HEAD has no body.
  if (
    socket === null ||
    !socket.writable ||
    socket.writableLength > 0 ||
    !output._hasBody ||
    size > PIECE_SIZE
  ) {
    response.end(body);
    return false;
  }
  piece.write(head, 'latin1');
  piece.set(body, head.length);
  output._headerSent = true;
  socket.write(piece.subarray(0, size));
  // The system has not taken all of it, and reads the rest later.
  if (socket.writableLength > 0) piece = Buffer.allocUnsafeSlow(PIECE_SIZE);
  response.end();
  return true;
}
