/**
 * Keeps the number and the lives of connections bounded, so that neither many nor slow clients can use up what
 * others need.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from '../operations/metrics.ts';
import type { Operations } from '../operations/operations.ts';

/** Connections beyond the limit that are still accepted, to answer one request each with 503. */
const OVER_LIMIT = 500;

/** ms between two looks at all connections. */
const LOOK_INTERVAL = 5000;

/** ms in which an answer must make headway; else nobody reads it. */
const READ_TIMEOUT = 15_000;

/**
 * Requests that may wait on one connection for the answers before theirs, and on all together. A few bytes ask for an answer of
 * many, which is kept until the client has read those before it.
 */
const MAX_PIPELINED = 64;
const MAX_PIPELINED_IN_ALL = 4096;

/** ms after which a connection is closed with its next answer, so that clients spread anew over several services. */
const MAX_AGE = 3_600_000;

/** ms in which a stopping service still accepts connections, for clients that do not know yet that it stops. */
const DRAIN_TIME = 500;
const DRAIN_LOOK = 20;

interface Connection {
  readonly openedAt: number;
  /** Bytes that the system had taken when it was last looked at, and since when these are all. */
  taken: number;
  takenAt: number;
  pipelined: number;
}

export class Connections {
  readonly #server: Server;
  readonly #limit: number;
  readonly #operations: Operations;
  readonly #metrics: Metrics;
  readonly #open = new Map<Socket, Connection>();
  readonly #overLimit = new Set<Socket>();
  readonly #tooOld = new Set<Socket>();
  #pipelined = 0;
  #isStopping = false;
  #idleClosedAt = 0;

  constructor(server: Server, limit: number, operations: Operations) {
    this.#server = server;
    this.#limit = limit;
    this.#operations = operations;
    this.#metrics = operations.metrics;
    server.maxConnections = limit + OVER_LIMIT;
    server.on('connection', (socket) => this.#accept(socket));
    server.on('drop', () => operations.metrics.counts.connectionsDropped++);
    const timer = setInterval(() => this.#look(performance.now()), LOOK_INTERVAL).unref();
    server.on('close', () => clearInterval(timer));
  }

  /** Whether requests on a connection are refused because there are too many, of connections or on this one. */
  isOverLimit(socket: Socket): boolean {
    return this.#overLimit.size > 0 && this.#overLimit.has(socket);
  }

  /** Whether the next answer on a connection is its last. */
  isEnding(socket: Socket): boolean {
    return (
      this.#isStopping || this.isOverLimit(socket) || (this.#tooOld.size > 0 && this.#tooOld.has(socket))
    );
  }

  /** Whether a request is answered at all that came before the answer to an earlier one was sent. */
  admitPipelined(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    // Its last answer is on the way.
    if (this.#overLimit.has(socket)) return false;
    connection.pipelined++;
    this.#pipelined++;
    response.once('close', () => this.#forgetPipelined(connection, Math.min(1, connection.pipelined)));
    if (connection.pipelined > MAX_PIPELINED || this.#pipelined > MAX_PIPELINED_IN_ALL)
      this.#overLimit.add(socket);
    return true;
  }

  #forgetPipelined(connection: Connection, number: number): void {
    connection.pipelined -= number;
    this.#pipelined -= number;
  }

  /**
   * Ends every connection with its next answer, and those that are not asked anything. A process that stops
   * waits for a moment before that, since a request may be on its way. Resolves when all are answered.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const drainTime = this.#operations.isStopping ? DRAIN_TIME : 0;
    for (let waited = 0; this.#open.size > 0 && waited < drainTime; waited += DRAIN_LOOK) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK));
    }
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // Node.js holds a connection that was never used to be waiting for an answer.
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    const { counts, levels } = this.#metrics;
    const now = performance.now();
    counts.connections++;
    levels.connections++;
    const connection = { openedAt: now, taken: 0, takenAt: now, pipelined: 0 };
    this.#open.set(socket, connection);
    if (this.#open.size > this.#limit) {
      counts.connectionsOverLimit++;
      this.#overLimit.add(socket);
      this.#closeIdle(now);
    }
    socket.once('close', () => {
      levels.connections--;
      this.#forgetPipelined(connection, connection.pipelined);
      this.#open.delete(socket);
      this.#overLimit.delete(socket);
      this.#tooOld.delete(socket);
    });
  }

  /** Room for those who ask, from those who do not; at most once a second, since it looks at all. */
  #closeIdle(now: number): void {
    if (now - this.#idleClosedAt < 1000) return;
    this.#idleClosedAt = now;
    this.#server.closeIdleConnections();
  }

  #look(now: number): void {
    for (const [socket, connection] of this.#open) {
      if (now - connection.openedAt > MAX_AGE) this.#tooOld.add(socket);
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== connection.taken) {
        connection.taken = taken;
        connection.takenAt = now;
      } else if (now - connection.takenAt > READ_TIMEOUT) {
        this.#metrics.counts.slowReadersClosed++;
        socket.destroy();
      }
    }
  }
}
