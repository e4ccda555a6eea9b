/**
 * The session of this process with one of several PostgreSQL servers: chosen, watched, and left for another server
 * when it stops answering.
 *
 * A process reads from one server at a time, so that all its answers are from one state of the data; the processes
 * spread over the servers. The watch has its own connection: at every check it notices a new data set, and a server that
 * is down or stalled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CatalogEvents, DataSet } from '../../foods/catalog.ts';
import { shownHost, shownPostgresUrl } from '../../settings/postgres-url.ts';
import { Unavailable, UserError } from '../../system/errors.ts';
import { type Credentials, configOf, reasonOf } from './connection.ts';
import {
  CONFIRMED_FOR,
  LOOK_INTERVAL,
  OUTAGE_PATIENCE,
  QUERY_TIMEOUT,
  REVISIT_INTERVAL,
  retry,
} from './deadlines.ts';
import {
  type Candidate,
  chooseHost,
  end,
  type HostChoice,
  isAcceptable,
  isWanted,
  type Look,
  lookWithin,
} from './look.ts';
import type { Generation } from './schema.ts';

/** The maximum number of searches that may wait for a connection; further ones are refused at once. */
const MAX_WAITING = 256;

/** Connections that are opened before searches need them. A process that many searches keep busy may fail to open one in time. */
const OPENED_EARLY = 4;

/** s that a connection lives, so that a proxy can spread connections again. */
const MAX_LIFETIME = 1800;

/** Planning each statement would take longer than the search. */
const SET_UP = `SET statement_timeout = ${QUERY_TIMEOUT}; SET plan_cache_mode = force_generic_plan; SET jit = off; SET max_parallel_workers_per_gather = 0`;

interface Server extends Pick<Candidate, 'host' | 'client'> {
  readonly pool: pg.Pool;
  /** Resolves once its first connections are open, or have failed to. */
  readonly opened: Promise<unknown>;
  isWanted: boolean;
  /** Why it refuses searches, although it answers the watch. */
  refused?: string | undefined;
  /** What was reported last; undefined if all is well. */
  trouble?: string | undefined;
}

export class PostgresSession {
  readonly #credentials: Credentials;
  #server: Server | undefined;
  #current: Generation | undefined;
  /** Why the current data set cannot be used, while the one before is served. */
  #stale: string | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #awaySince = 0;
  #visitedAt = 0;
  #events: CatalogEvents | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  get current(): Generation {
    if (this.#current === undefined) throw new Error('no server has answered yet');
    return this.#current;
  }

  get dataSet(): DataSet {
    return this.current.dataSet;
  }

  age(): number {
    const age = performance.now() - this.#confirmedAt;
    return age < CONFIRMED_FOR ? 0 : Math.floor(age / 1000);
  }

  unavailable(): string | undefined {
    return this.#server === undefined || this.#server.refused !== undefined ? AWAY : undefined;
  }

  /**
   * Connects within `patience` ms.
   * @throws UserError if no host can be used
   */
  async start(patience: number): Promise<void> {
    let reasons: readonly string[] = [];
    await retry(performance.now() + patience, LOOK_INTERVAL, async () => {
      const choice = await this.#choose();
      reasons = choice.reasons;
      return this.#server !== undefined || choice.isHopeless || undefined;
    });
    if (this.#server === undefined) {
      throw new UserError(`Database ${shownPostgresUrl(this.#credentials.url)}: ${reasons.join('; ')}`);
    }
    await this.#server.opened;
    void this.#keepLooking();
  }

  /** Reports what happens from now on, and at once the connected host. */
  watch(events: CatalogEvents): void {
    this.#events = events;
    if (this.#server !== undefined) events.connected(shownHost(this.#server.host));
  }

  /** The connections to search with; undefined while another server is sought. @throws Unavailable if it is no use to wait */
  pool(): pg.Pool | undefined {
    const pool = this.#server?.pool;
    if (pool !== undefined && pool.waitingCount >= MAX_WAITING) throw new Unavailable(BUSY);
    if (pool === undefined && (this.#isClosed || performance.now() - this.#awaySince > OUTAGE_PATIENCE))
      throw new Unavailable(AWAY);
    return pool;
  }

  /** Checks now which data set is current. */
  async reload(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    this.#leave();
  }

  async #keepLooking(): Promise<void> {
    for (;;) {
      await sleep(LOOK_INTERVAL, undefined, { ref: false });
      if (this.#isClosed) return;
      await this.reload();
      await this.#probe();
    }
  }

  async #lookOnce(): Promise<void> {
    if (this.#server !== undefined) await this.#lookAt(this.#server);
    const isRevisit =
      this.#server?.isWanted === false && performance.now() - this.#visitedAt > REVISIT_INTERVAL;
    if (this.#isClosed || (this.#server !== undefined && !isRevisit)) return;
    const { reasons } = await this.#choose();
    if (this.#server === undefined) this.#events?.away(reasons.join('; '));
  }

  async #lookAt(server: Server): Promise<void> {
    const { target } = this.#credentials.url;
    try {
      const look = await lookWithin(server.client, this.#current);
      server.isWanted = isWanted(target, look.role);
      if (isAcceptable(target, look.role)) this.#confirm(look);
      else this.#leave();
    } catch (error) {
      this.#leave();
      this.#events?.away(reasonOf(error, server.host));
    }
  }

  /** Checks that searches get connections: that of the watch may be the last one that a role or a proxy grants. */
  async #probe(): Promise<void> {
    const server = this.#server;
    // Searches that wait prove that others are being answered.
    if (server === undefined || server.pool.waitingCount > 0) return;
    const fault = (error: unknown): string => reasonOf(error, server.host);
    const probe = () => server.pool.query('SELECT').then(() => undefined, fault);
    // The first probe may meet a connection that broke while it was idle.
    server.refused = (await probe()) && (await probe());
    if (server !== this.#server) return;
    const trouble = server.refused ?? this.#stale;
    if (trouble === server.trouble) return;
    server.trouble = trouble;
    if (trouble === undefined) this.#events?.connected(shownHost(server.host));
    else this.#events?.trouble(trouble);
  }

  /** Switches to the chosen server if there is none yet, or if the chosen one is preferred. */
  async #choose(): Promise<HostChoice> {
    this.#visitedAt = performance.now();
    const choice = await chooseHost(this.#credentials, this.#current);
    const { chosen } = choice;
    const { target } = this.#credentials.url;
    const isBetter = chosen && (this.#server === undefined || isWanted(target, chosen.look.role));
    if (isBetter && !this.#isClosed) this.#enter(chosen);
    else if (chosen !== undefined) end(chosen.client);
    return choice;
  }

  #enter({ host, client, tls, look }: Candidate): void {
    this.#leave();
    const { connections, target } = this.#credentials.url;
    const pool = new pg.Pool({
      ...configOf(this.#credentials, host, tls),
      max: connections,
      connectionTimeoutMillis: QUERY_TIMEOUT,
      query_timeout: QUERY_TIMEOUT,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: MAX_LIFETIME,
      onConnect: (opened) => opened.query(SET_UP).then(() => {}),
    });
    // An idle connection that breaks needs no report: the watch notices if the server is down.
    pool.on('error', () => {});
    const open = () => pool.query('SELECT').catch(() => {});
    pool.on('remove', open);
    const opened = Promise.all(Array.from({ length: Math.min(OPENED_EARLY, connections) }, open));
    this.#server = { host, client, pool, opened, isWanted: isWanted(target, look.role) };
    this.#confirm(look);
    this.#events?.connected(shownHost(host));
  }

  /** Waits for nothing, because the server may be down. */
  #leave(): void {
    if (this.#server === undefined) return;
    this.#awaySince = performance.now();
    end(this.#server.client);
    void this.#server.pool.end().catch(() => {});
    this.#server = undefined;
  }

  #confirm({ generation, fault }: Look): void {
    this.#stale = fault;
    if (fault !== undefined) return;
    this.#confirmedAt = performance.now();
    const known = this.#current;
    if (known?.number === generation.number && known.dataSet.identity === generation.dataSet.identity) return;
    this.#current = generation;
    if (known !== undefined) this.#events?.replaced(generation.dataSet);
  }
}

const AWAY = 'The database cannot be searched for the moment. Try again.';
const BUSY = 'Too many searches wait for the database. Try again.';
