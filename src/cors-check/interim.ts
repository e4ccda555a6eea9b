/**
 * Skips interim answers, such as `100 Continue` and `103 Early Hints`. Browsers skip all of them; undici fails at a 100
 * that it did not request.
 */
import type { Socket } from 'node:net';

/** Skips them in the input of a connection that serves one request. @param maxHeld maximum bytes of one of them */
export function skipInterim(socket: Socket, maxHeld: number): Socket {
  const read = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  let isOver = false;
  socket.read = (size?: number): Buffer | null => {
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      if (isOver) return chunk;
      held = withoutInterim(Buffer.concat([held, chunk]));
      isOver = !isInterim(held) || held.length > maxHeld;
      if (isOver) return held;
    }
    return null;
  };
  return socket;
}

/** The input from the first answer on that is not interim or is not complete. */
function withoutInterim(received: Buffer): Buffer {
  let rest = received;
  while (isInterim(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

const EXAMPLE = 'HTTP/1.1 100';

/** Whether an answer is interim, or may turn out to be as more bytes arrive. 101 ends HTTP and does not count. */
function isInterim(received: Buffer): boolean {
  const begun = received.toString('latin1', 0, EXAMPLE.length);
  return /^HTTP\/1\.\d 1(?!01)\d\d/.test(begun + EXAMPLE.slice(begun.length));
}
