/**
 * Answers that come before the answer, such as `100 Continue` and `103 Early Hints`. Browsers pass over all of them;
 * undici gives up at a 100 that it did not ask for.
 */
import type { Socket } from 'node:net';

/** Passes over them in what a connection reads, which is used for one request. @param maxHeld bytes of one of them */
export function passOverInterim(socket: Socket, maxHeld: number): Socket {
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

/** What was received, from the first answer on that is not interim, or has not come whole. */
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

/** Whether an answer is interim, or may be if it has only begun to arrive. 101 ends HTTP, and is none. */
function isInterim(received: Buffer): boolean {
  const begun = received.toString('latin1', 0, EXAMPLE.length);
  return /^HTTP\/1\.\d 1(?!01)\d\d/.test(begun + EXAMPLE.slice(begun.length));
}
