/**
 * Bounds the number and the lifetime of connections, so that neither many nor slow clients can starve others.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Operations } from '../operations/metrics.ts';
import { type Fault, isRefused, refuse, TIMED_OUT } from './malformed.ts';

/** Connections accepted beyond the limit, to answer one request each with 503: half as many, but not more. */
const OVER_LIMIT = 500;

/** ms between two checks of all connections. */
const CHECK_INTERVAL = 5000;

/**
 * ms that a connection stays open between two requests; longer than proxies keep theirs, so that none reuses a closing one.
 * Node.js' own timeout would start a timer for each answer and stop it for each request.
 */
const IDLE_TIMEOUT = 72_000;

/** ms without progress after which the client counts as not reading. */
const READ_TIMEOUT = 15_000;

/**
 * Pipelined requests that may wait for earlier answers, on one connection and on all together. The answer to a request of a few
 * bytes may be large, and stays in memory until the client has read the answers before it.
 */
const MAX_PIPELINED = 256;
const MAX_PIPELINED_IN_ALL = 4096;

/**
 * Timed-out requests that are answered in one batch, and ms between two batches. Slow clients that arrive together time out
 * together, and searches must not wait until all of them are answered. Of a large number a share is answered in each batch, so
 * that none waits for long.
 */
const TIMED_OUT_BATCH = 8;
const TIMED_OUT_SHARE = 1 / 400;
const TIMED_OUT_PAUSE = 5;

/** ms after which a connection is closed with its next answer, so that clients rebalance over several services. */
const MAX_AGE = 3_600_000;

/** ms for which a stopping service still accepts connections, from clients that do not know yet that it is stopping. */
const DRAIN_TIME = 500;
const POLL_INTERVAL = 20;

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await wait(POLL_INTERVAL);
}

/** A number of bytes, and when it was first seen. */
interface Progress {
  bytes: number;
  since: number;
}

/** ms since a check found another number of bytes. */
function unchangedFor(progress: Progress, bytes: number, now: number): number {
  if (bytes !== progress.bytes) Object.assign(progress, { bytes, since: now });
  return now - progress.since;
}

interface Connection {
  readonly openedAt: number;
  /** By the system, of what was written. */
  readonly taken: Progress;
  readonly read: Progress;
  pipelined: number;
  /** Its requests are refused: there are too many connections, or too many requests on this one. */
  isOverLimit: boolean;
  isTooOld: boolean;
  /** To the newest request. */
  answer: ServerResponse | undefined;
}

interface Limits {
  readonly limit: number;
  /** s for which a process that stops goes on as before. */
  readonly shutdownDelay: number;
}

export class Connections {
  readonly #server: Server;
  readonly #settings: Limits;
  /** Further ones are closed unread. */
  readonly #most: number;
  readonly #operations: Operations;
  readonly #open = new Map<Socket, Connection>();
  /** Those of the whole process. */
  readonly #total: Int32Array;
  /** Connections whose request timed out, with the answer to the request before it. */
  readonly #timedOut = new Map<Socket, ServerResponse | undefined>();
  #pipelined = 0;
  #isStopping = false;
  #idleClosedAt = 0;

  /** @param total one number: the open connections of the process, which its threads count together */
  constructor(server: Server, settings: Limits, operations: Operations, total: Int32Array) {
    const { limit } = settings;
    this.#server = server;
    this.#settings = settings;
    this.#total = total;
    this.#operations = operations;
    this.#most = limit + Math.min(OVER_LIMIT, Math.ceil(limit / 2));
    server.maxConnections = this.#most;
    server.on('connection', (socket) => this.#accept(socket));
    server.on('drop', () => operations.metrics.counts.connectionsDropped++);
    const timer = setInterval(() => this.#check(performance.now()), CHECK_INTERVAL).unref();
    server.on('close', () => clearInterval(timer));
  }

  isOverLimit(socket: Socket): boolean {
    return this.#open.get(socket)?.isOverLimit ?? false;
  }

  /** Records a request; false if it must not be answered, because the last answer of its connection is already decided. */
  admit(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    connection.answer = response;
    // An answer without a socket waits for an earlier one.
    if (response.socket === null) {
      if (connection.isOverLimit) return false;
      this.#countPipelined(connection, response);
    }
    if (this.#isStopping || connection.isOverLimit || connection.isTooOld) response.shouldKeepAlive = false;
    return true;
  }

  #countPipelined(connection: Connection, response: ServerResponse): void {
    connection.pipelined++;
    this.#pipelined++;
    response.once('close', () => this.#forgetPipelined(connection, Math.min(1, connection.pipelined)));
    if (connection.pipelined > MAX_PIPELINED || this.#pipelined > MAX_PIPELINED_IN_ALL)
      connection.isOverLimit = true;
  }

  #forgetPipelined(connection: Connection, number: number): void {
    connection.pipelined -= number;
    this.#pipelined -= number;
  }

  /** Ends a connection whose input is not a request, after the answers before it. */
  refuse(fault: Fault, socket: Socket): void {
    // After an error of the connection itself there is no client to answer.
    if (socket.destroyed || isRefused(socket)) return;
    this.#operations.metrics.counts.malformedRequests++;
    const newest = this.#open.get(socket)?.answer;
    if (fault !== TIMED_OUT) {
      refuse(fault, socket, newest);
      return;
    }
    this.#timedOut.set(socket, newest);
    if (this.#timedOut.size === 1) void this.#answerTimedOut();
  }

  async #answerTimedOut(): Promise<void> {
    let left = 0;
    for (const [socket, before] of this.#timedOut) {
      if (left-- <= 0) {
        await wait(TIMED_OUT_PAUSE);
        left = Math.max(TIMED_OUT_BATCH, this.#timedOut.size * TIMED_OUT_SHARE);
      }
      this.#timedOut.delete(socket);
      // The request may have arrived in the meantime; then it has its answer.
      if (this.#open.get(socket)?.answer === before) refuse(TIMED_OUT, socket, before);
    }
  }

  /**
   * Closes idle connections, and all others with their next answer. A process that stops waits for a moment before that, since
   * a request may be on its way. Resolves when all requests are answered.
   */
  async stop(): Promise<void> {
    const isProcessStopping = this.#operations.isStopping;
    // A start that failed has nobody to wait for.
    if (isProcessStopping && this.#server.listening) await wait(this.#settings.shutdownDelay * 1000);
    this.#isStopping = true;
    const end = performance.now() + (isProcessStopping ? DRAIN_TIME : 0);
    await until(() => this.#open.size === 0 || performance.now() >= end);
    // Closing the server would cut off answers that are not sent yet.
    await until(() => Array.from(this.#open.keys()).every((socket) => socket.writableLength === 0));
    let isClosed = false;
    this.#server.close(() => {
      isClosed = true;
    });
    await until(() => {
      // Node.js considers a connection that was never used to be waiting for an answer.
      for (const [socket, { answer }] of this.#open)
        if (answer === undefined ? socket.bytesRead === 0 : answer.writableFinished) socket.destroy();
      return isClosed;
    });
  }

  #accept(socket: Socket): void {
    const { counts, levels } = this.#operations.metrics;
    const now = performance.now();
    const total = Atomics.add(this.#total, 0, 1) + 1;
    if (total > this.#most) {
      Atomics.sub(this.#total, 0, 1);
      counts.connectionsDropped++;
      socket.destroy();
      return;
    }
    counts.connections++;
    levels.connections++;
    const connection: Connection = {
      openedAt: now,
      taken: { bytes: 0, since: now },
      read: { bytes: 0, since: now },
      pipelined: 0,
      isOverLimit: total > this.#settings.limit,
      isTooOld: false,
      answer: undefined,
    };
    this.#open.set(socket, connection);
    if (connection.isOverLimit) {
      counts.connectionsOverLimit++;
      this.#closeIdle(now);
    }
    socket.once('close', () => {
      Atomics.sub(this.#total, 0, 1);
      levels.connections--;
      this.#forgetPipelined(connection, connection.pipelined);
      this.#open.delete(socket);
      this.#timedOut.delete(socket);
    });
  }

  /** Closes idle connections to make room for active clients; at most once a second, because it checks all. */
  #closeIdle(now: number): void {
    if (now - this.#idleClosedAt < 1000) return;
    this.#idleClosedAt = now;
    for (const [socket, { answer }] of this.#open) if (answer?.writableFinished) socket.destroy();
  }

  #check(now: number): void {
    // Other threads accept connections, too, but close only idle ones of their own.
    if (Atomics.load(this.#total, 0) > this.#settings.limit) this.#closeIdle(now);
    for (const [socket, connection] of this.#open) {
      connection.isTooOld = now - connection.openedAt > MAX_AGE;
      const { bytesRead, bytesWritten, writableLength } = socket;
      const idle = unchangedFor(connection.read, bytesRead, now);
      // Another number at every check unless something waits.
      const taken = writableLength === 0 ? -now : bytesWritten - writableLength;
      const stuck = unchangedFor(connection.taken, taken, now);
      if (stuck > READ_TIMEOUT) this.#operations.metrics.counts.slowReadersClosed++;
      if (stuck > READ_TIMEOUT || (idle > IDLE_TIMEOUT && connection.answer?.writableFinished))
        socket.destroy();
    }
  }
}
