/**
 * Keeps the number and the lives of connections bounded, so that neither many nor slow clients can use up what
 * others need.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../operations/metrics.ts';
import type { Operations } from '../operations/operations.ts';
import { type Fault, isRefused, refuse, TIMED_OUT } from './malformed.ts';

/** Connections beyond the limit that are still accepted, to answer one request each with 503. */
const OVER_LIMIT = 500;

/** ms between two looks at all connections. */
const LOOK_INTERVAL = 5000;

/**
 * ms that a connection stays open between two requests; longer than proxies keep theirs, so that none meets a closing one. Node.js
 * would set a timer for each answer, and stop it for each request.
 */
const IDLE_TIMEOUT = 72_000;

/** ms in which an answer must make headway; else nobody reads it. */
const READ_TIMEOUT = 15_000;

/**
 * Requests that may wait on one connection for the answers before theirs, and on all together. A few bytes ask for an answer of
 * many, which is kept until the client has read those before it.
 */
const MAX_PIPELINED = 256;
const MAX_PIPELINED_IN_ALL = 4096;

/**
 * Late requests that are answered at a time, and ms between two times. Slow clients that came together are late together, and
 * who asks something must not wait until all are answered. Of many, a share is answered, so that none waits for long.
 */
const LATE_AT_ONCE = 8;
const LATE_SHARE = 1 / 400;
const LATE_PAUSE = 5;

/** ms after which a connection is closed with its next answer, so that clients spread anew over several services. */
const MAX_AGE = 3_600_000;

/** ms in which a stopping service still accepts connections, for clients that do not know yet that it stops. */
const DRAIN_TIME = 500;
const LOOK_AGAIN = 20;

interface Connection {
  readonly openedAt: number;
  /** Bytes that the system had taken when it was last looked at, and since when these are all. */
  taken: number;
  takenAt: number;
  /** Bytes that had been read when it was last looked at, and since when these are all. */
  read: number;
  readAt: number;
  pipelined: number;
  /** To the newest request. */
  answer: ServerResponse | undefined;
}

export class Connections {
  readonly #server: Server;
  readonly #limit: number;
  readonly #operations: Operations;
  readonly #metrics: Metrics;
  readonly #open = new Map<Socket, Connection>();
  readonly #overLimit = new Set<Socket>();
  readonly #tooOld = new Set<Socket>();
  /** Connections whose request is late, and the newest request before that one. */
  readonly #late = new Map<Socket, ServerResponse | undefined>();
  #lateTimer: NodeJS.Timeout | undefined;
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

  /** Takes note of a request; false where it is not to be answered, since the last answer is on its way. */
  admit(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    connection.answer = response;
    // Without a socket yet, the answer waits for an earlier one.
    if (response.socket === null && !this.#admitPipelined(connection, socket, response)) return false;
    if (this.#isStopping || this.isOverLimit(socket) || (this.#tooOld.size > 0 && this.#tooOld.has(socket)))
      response.shouldKeepAlive = false;
    return true;
  }

  #admitPipelined(connection: Connection, socket: Socket, response: ServerResponse): boolean {
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

  /** Ends a connection whose input is not a request, after the answers before it. */
  refuse(fault: Fault, socket: Socket): void {
    // An error of the connection itself leaves nobody to answer.
    if (socket.destroyed || isRefused(socket)) return;
    this.#metrics.counts.malformedRequests++;
    const newest = this.#open.get(socket)?.answer;
    if (fault !== TIMED_OUT) {
      refuse(fault, socket, newest);
      return;
    }
    this.#late.set(socket, newest);
    this.#lateTimer ??= setTimeout(() => this.#refuseSomeLate(), 0);
  }

  #refuseSomeLate(): void {
    let left = Math.max(LATE_AT_ONCE, this.#late.size * LATE_SHARE);
    for (const [socket, before] of this.#late) {
      if (left-- <= 0) break;
      this.#late.delete(socket);
      // It may have arrived in the meantime; then it has its answer.
      if (this.#open.get(socket)?.answer === before) refuse(TIMED_OUT, socket, before);
    }
    this.#lateTimer = this.#late.size > 0 ? setTimeout(() => this.#refuseSomeLate(), LATE_PAUSE) : undefined;
  }

  /**
   * Ends every connection with its next answer, and those that are not asked anything. A process that stops
   * waits for a moment before that, since a request may be on its way. Resolves when all are answered.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const drainTime = this.#operations.isStopping ? DRAIN_TIME : 0;
    const started = performance.now();
    while (this.#open.size > 0 && performance.now() - started < drainTime) await wait(LOOK_AGAIN);
    // Closing the server would cut off answers that the system has not taken yet.
    while (Array.from(this.#open.keys()).some((socket) => socket.writableLength > 0)) await wait(LOOK_AGAIN);
    let isClosed = false;
    this.#server.close(() => {
      isClosed = true;
    });
    while (!isClosed) {
      // Node.js holds a connection that was never used to be waiting for an answer.
      for (const [socket, { answer }] of this.#open)
        if (answer === undefined ? socket.bytesRead === 0 : answer.writableFinished) socket.destroy();
      await wait(LOOK_AGAIN);
    }
  }

  #accept(socket: Socket): void {
    const { counts, levels } = this.#metrics;
    const now = performance.now();
    counts.connections++;
    levels.connections++;
    const connection: Connection = {
      openedAt: now,
      taken: 0,
      takenAt: now,
      read: 0,
      readAt: now,
      pipelined: 0,
      answer: undefined,
    };
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
      this.#late.delete(socket);
    });
  }

  /** Room for those who ask, from those who do not; at most once a second, since it looks at all. */
  #closeIdle(now: number): void {
    if (now - this.#idleClosedAt < 1000) return;
    this.#idleClosedAt = now;
    for (const [socket, { answer }] of this.#open) if (answer?.writableFinished) socket.destroy();
  }

  #look(now: number): void {
    for (const [socket, connection] of this.#open) {
      if (now - connection.openedAt > MAX_AGE) this.#tooOld.add(socket);
      if (socket.bytesRead !== connection.read) {
        connection.read = socket.bytesRead;
        connection.readAt = now;
      } else if (now - connection.readAt > IDLE_TIMEOUT && connection.answer?.writableFinished) {
        socket.destroy();
        continue;
      }
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
