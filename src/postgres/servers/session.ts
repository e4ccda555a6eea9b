/**
 * The session of this process with one of several PostgreSQL servers: all its answers are from one state of the data. The
 * watch has its own connection: at every check it notices a new data set, and a server that is down or stalled, which is left.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type CatalogEvents, type DataSet, Unavailable, UserError } from '#core';
import {
  CONFIRMED_FOR,
  LOOK_INTERVAL,
  OUTAGE_PATIENCE,
  QUERY_TIMEOUT,
  REVISIT_INTERVAL,
  retry,
  within,
} from '../deadlines.ts';
import type { Generation } from '../schema.ts';
import { type Credentials, configOf, reasonOf } from './connection.ts';
import { chooseHost, end, isAcceptable, isWanted, type Look, lookWithin, type OpenHost } from './look.ts';
import { shownHost, shownPostgresUrl } from './postgres-url.ts';

/** The maximum number of searches that may wait for a connection; further ones are refused at once. */
const MAX_WAITING = 256;

/** Connections that are opened before searches need them. A process that many searches keep busy may fail to open one in time. */
const OPENED_EARLY = 4;

/** s that a connection lives, so that a proxy can spread connections again. */
const MAX_LIFETIME = 1800;

/** Planning each statement would take longer than the search. */
const SET_UP = `SET statement_timeout = ${QUERY_TIMEOUT}; SET plan_cache_mode = force_generic_plan; SET jit = off; SET max_parallel_workers_per_gather = 0`;

interface Server extends Omit<OpenHost, 'tls'> {
  readonly pool: pg.Pool;
  /** Why it refuses searches, although it answers the watch. */
  refused?: string | undefined;
}

export class PostgresSession {
  readonly #credentials: Credentials;
  #server: Server | undefined;
  #current: Generation | undefined;
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

  /** Connects within `patience` ms. @throws UserError if no host can be used */
  async start(patience: number): Promise<void> {
    let reasons: readonly string[] = [];
    await retry(within(patience), LOOK_INTERVAL, async () => {
      const choice = await this.#choose();
      reasons = choice.reasons;
      return this.#server !== undefined || choice.isHopeless || undefined;
    });
    if (this.#server === undefined) {
      throw new UserError(`Database ${shownPostgresUrl(this.#credentials.url)}: ${reasons.join('; ')}`);
    }
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
    const isSecondBest = this.#server !== undefined && !this.#isWanted(this.#server);
    const isRevisit = isSecondBest && performance.now() - this.#visitedAt > REVISIT_INTERVAL;
    if (this.#isClosed || (this.#server !== undefined && !isRevisit)) return;
    const { reasons } = await this.#choose();
    if (this.#server === undefined) this.#events?.away(reasons.join('; '));
  }

  async #lookAt(server: Server): Promise<void> {
    try {
      server.look = await lookWithin(server.client);
      if (isAcceptable(this.#credentials.url.target, server.look)) this.#confirm(server.look);
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
    const refused = (await probe()) && (await probe());
    if (server !== this.#server || refused === server.refused) return;
    server.refused = refused;
    if (refused === undefined) this.#events?.connected(shownHost(server.host));
    else this.#events?.away(refused);
  }

  /** Switches to the chosen server if there is none yet, or if the chosen one is preferred. */
  async #choose() {
    this.#visitedAt = performance.now();
    const choice = await chooseHost(this.#credentials);
    const { chosen } = choice;
    const isBetter = chosen && (this.#server === undefined || this.#isWanted(chosen));
    if (isBetter && !this.#isClosed) this.#enter(chosen);
    else if (chosen !== undefined) end(chosen.client);
    return choice;
  }

  #isWanted = ({ look }: Pick<OpenHost, 'look'>): boolean => isWanted(this.#credentials.url.target, look);

  #enter({ host, client, tls, look }: OpenHost): void {
    this.#leave();
    const { connections } = this.#credentials.url;
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
    const open = () => void pool.query('SELECT').catch(() => {});
    pool.on('remove', open);
    for (let i = 0; i < Math.min(OPENED_EARLY, connections); i++) open();
    this.#server = { host, client, pool, look };
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

  #confirm({ generation }: Look): void {
    this.#confirmedAt = performance.now();
    const known = this.#current;
    if (known?.number === generation.number && known.dataSet.identity === generation.dataSet.identity) return;
    this.#current = generation;
    if (known !== undefined) this.#events?.replaced(generation.dataSet);
  }
}

const AWAY = 'The database cannot be searched for the moment. Try again.';
const BUSY = 'Too many searches wait for the database. Try again.';
