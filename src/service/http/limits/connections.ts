/** Bounds the number and the lifetime of connections, so that neither many nor slow clients can starve others. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Operations } from '../../operations/metrics.ts';
import type { Settings } from '../../settings/settings.ts';
import { createHttpServer, type Fault, isRefused, refuse, TIMED_OUT } from '../http-server.ts';
import type { Patience } from './patience.ts';

/** Connections accepted beyond the limit, to answer one request each with 503: half as many, but not more. */
const OVER_LIMIT = 500;

/**
 * Pipelined requests that may wait for earlier answers, on one connection and on all together. The answer to a request of a few
 * bytes may be large, and stays in memory until the client has read the answers before it.
 */
const MAX_PIPELINED = 256;
const MAX_PIPELINED_IN_ALL = 4096;

/** ms at most over which the answers to requests that have timed out together are spread, so that searches run between them. */
const TIMED_OUT_SPREAD = 2000;

/** ms after which a connection is closed with its next answer, so that clients rebalance over several services. */
const MAX_AGE = 3_600_000;

/** ms for which a stopping service still accepts connections, from clients that do not know yet that it is stopping. */
const DRAIN_TIME = 500;
const POLL_INTERVAL = 20;

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await wait(POLL_INTERVAL);
}

interface Connection {
  readonly openedAt: number;
  /** A number of bytes that grows while there is progress, and when a check first saw it. */
  bytes: number;
  since: number;
  pipelined: number;
  /** Its requests are refused: there are too many connections, or too many requests on this one. */
  isOverLimit: boolean;
  isTooOld: boolean;
  /** To the newest request. */
  answer: ServerResponse | undefined;
}

type Limits = Pick<Settings, 'shutdownDelay'> & { readonly limit: number; readonly patience: Patience };

export class Connections {
  readonly server: Server;
  readonly #settings: Limits;
  /** Further ones are closed unread. */
  readonly #most: number;
  readonly #operations: Operations;
  readonly #open = new Map<Socket, Connection>();
  /** Those of the whole process. */
  readonly #total: Int32Array;
  #pipelined = 0;
  /** Requests that have timed out and are not answered yet. */
  #timedOut = 0;
  #isStopping = false;
  #idleClosedAt = 0;
  #checkedAt = performance.now();
  /** ms for which the process was stopped: they do not count as time in which a client did nothing. */
  #stopped = 0;

  /** @param total one number: the open connections of the process, which its threads count together */
  constructor(settings: Limits, operations: Operations, total: Int32Array) {
    const { limit, patience } = settings;
    const server = createHttpServer((fault, socket) => this.refuse(fault, socket));
    this.server = server;
    this.#settings = settings;
    this.#total = total;
    this.#operations = operations;
    this.#most = limit + Math.min(OVER_LIMIT, Math.ceil(limit / 2));
    server.maxConnections = this.#most;
    server.on('connection', (socket) => this.#accept(socket));
    server.on('drop', () => operations.metrics.counts.connectionsDropped++);
    const timer = setInterval(() => this.#checkSoon(), patience.check).unref();
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
      this.#countPipelined(connection, 1);
      response.once('close', () => this.#countPipelined(connection, -Math.min(1, connection.pipelined)));
      connection.isOverLimit = connection.pipelined > MAX_PIPELINED || this.#pipelined > MAX_PIPELINED_IN_ALL;
    }
    if (this.#isStopping || connection.isOverLimit || connection.isTooOld) response.shouldKeepAlive = false;
    return true;
  }

  #countPipelined(connection: Connection, more: number): void {
    connection.pipelined += more;
    this.#pipelined += more;
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
    // Slow clients that arrive together time out together.
    const delay = Math.random() * Math.min(this.#timedOut++, TIMED_OUT_SPREAD);
    setTimeout(() => {
      this.#timedOut--;
      // The request may have arrived in the meantime; then it has its answer.
      if (this.#open.get(socket)?.answer === newest) refuse(TIMED_OUT, socket, newest);
    }, delay);
  }

  /**
   * Closes idle connections, and all others with their next answer. A process that stops waits for a moment before that, since
   * a request may be on its way. Resolves when all requests are answered.
   */
  async stop(): Promise<void> {
    const isProcessStopping = this.#operations.isStopping;
    // A start that failed has nobody to wait for.
    if (isProcessStopping && this.server.listening) await wait(this.#settings.shutdownDelay * 1000);
    this.#isStopping = true;
    const end = performance.now() + (isProcessStopping ? DRAIN_TIME : 0);
    await until(() => this.#open.size === 0 || performance.now() >= end);
    // Closing the server would cut off answers that are not sent yet.
    await until(() => Array.from(this.#open.keys()).every((socket) => socket.writableLength === 0));
    let isClosed = false;
    this.server.close(() => {
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
    const now = this.#now();
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
      bytes: 0,
      since: now,
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
      this.#countPipelined(connection, -connection.pipelined);
      this.#open.delete(socket);
    });
  }

  /** Closes idle connections to make room for active clients; at most once a second, because it checks all. */
  #closeIdle(now: number): void {
    if (now - this.#idleClosedAt < 1000) return;
    this.#idleClosedAt = now;
    for (const [socket, { answer }] of this.#open) if (answer?.writableFinished) socket.destroy();
  }

  #now(): number {
    return performance.now() - this.#stopped;
  }

  /** Checks all connections once what has arrived meanwhile has been read. */
  #checkSoon(): void {
    const { check } = this.#settings.patience;
    const late = performance.now() - this.#checkedAt - check;
    this.#checkedAt = performance.now();
    if (late > check) this.#stopped += late;
    const now = this.#now();
    setImmediate(() => this.#check(now));
  }

  #check(now: number): void {
    const { idle, read } = this.#settings.patience;
    // Other threads accept connections, too, but close only idle ones of their own.
    if (Atomics.load(this.#total, 0) > this.#settings.limit) this.#closeIdle(now);
    for (const [socket, connection] of this.#open) {
      connection.isTooOld = now - connection.openedAt > MAX_AGE;
      const { bytesRead, bytesWritten, writableLength } = socket;
      // While an answer is sent, only what the client takes of it is progress. Its number is below 0, so that none is equal.
      const isSending = writableLength > 0;
      const bytes = isSending ? writableLength - bytesWritten - 1 : bytesRead;
      if (bytes !== connection.bytes) Object.assign(connection, { bytes, since: now });
      const unchangedFor = now - connection.since;
      if (isSending && unchangedFor > read) {
        this.#operations.metrics.counts.slowReadersClosed++;
        socket.destroy();
      } else if (unchangedFor > idle && connection.answer?.writableFinished) socket.destroy();
    }
  }
}
