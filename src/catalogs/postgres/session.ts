/**
 * Chooses one of several PostgreSQL servers, watches it, and leaves it for another one where it does not answer.
 *
 * A process works with one server at a time, so that all its answers are from one state of the data; it is the
 * processes that spread over the servers. The watch has a connection of its own: it sees a new data set twice a second,
 * and a server that is gone or stalled at the same pace.
 */
import pg from 'pg';
import { Unavailable, UserError } from '../../errors.ts';
import { type PostgresHost, shownHost, shownPostgresUrl } from '../../settings/postgres-url.ts';
import {
  type Candidate,
  type Election,
  elect,
  end,
  isAcceptable,
  isWanted,
  lookWithin,
} from './choose-host.ts';
import { type Credentials, configOf, reasonOf } from './connection.ts';
import type { Look } from './look.ts';
import type { Generation } from './schema.ts';

/** ms between two looks at the server. */
const LOOK_INTERVAL = 400;

/** ms that one query of a search may take, its connection included. */
const ATTEMPT_TIMEOUT = 700;

/** ms for which searches wait for another server; when it takes longer they fail at once. */
const PATIENCE = 2500;

/** Searches that wait for a connection or a server at the most; more are refused at once. */
const MAX_WAITING = 256;

/** ms between two looks for a standby, where only a primary was there. */
const REVISIT_INTERVAL = 5000;

/** s that a connection lives, so that a proxy can spread them anew. */
const MAX_LIFETIME = 1800;

/** Told to whoever runs the service. */
export interface HostEvents {
  /** No host can be used. */
  away(reason: string): void;
  /** A host is used, but not all is well; told once. `connected` tells that it is well again. */
  trouble(reason: string): void;
  /** Another host is worked with, or the same again. */
  connected(host: string): void;
  /** Another data set is current. */
  replaced(): void;
}

/** What is worked with. */
export interface Session {
  readonly pool: pg.Pool;
}

interface OpenSession extends Session {
  readonly host: PostgresHost;
  /** The connection that watches. */
  readonly watch: pg.Client;
  isWanted: boolean;
}

export class PostgresHosts {
  readonly #credentials: Credentials;
  #session: OpenSession | undefined;
  #current: Generation | undefined;
  /** Why the current data set cannot be used, while another one is served. */
  #stale: string | undefined;
  /** Why searches cannot be made, although the host answers the watch. */
  #refused: string | undefined;
  /** What was told last of these. */
  #trouble: string | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #awaySince = 0;
  #visitedAt = 0;
  #events: HostEvents | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;
  readonly #waiting = new Set<(session: Session | undefined) => void>();

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** The last data set that was known to be current. */
  get current(): Generation {
    if (this.#current === undefined) throw new Error('no server has answered yet');
    return this.#current;
  }

  /** ms since `current` was last known to be so. */
  get age(): number {
    return performance.now() - this.#confirmedAt;
  }

  /** Why no search can be answered for now; undefined: searches are answered. */
  get unavailable(): string | undefined {
    return this.#session === undefined || this.#refused !== undefined ? AWAY : undefined;
  }

  /**
   * Connects within so many ms.
   * @throws UserError where no host can be used
   */
  async start(patience: number): Promise<void> {
    const started = performance.now();
    for (;;) {
      const { reasons, isHopeless } = await this.#elect();
      if (this.#session !== undefined) break;
      if (isHopeless || performance.now() - started > patience) {
        throw new UserError(`Database ${shownPostgresUrl(this.#credentials.url)}: ${reasons.join('; ')}`);
      }
      await pause(LOOK_INTERVAL);
    }
    this.#schedule();
  }

  /** Tells from now on, and at once which host is worked with. */
  watch(events: HostEvents): void {
    this.#events = events;
    if (this.#session !== undefined) events.connected(shownHost(this.#session.host));
  }

  /** What to search with. @throws Unavailable where no server answers in time */
  async session(): Promise<Session> {
    if (this.#session === undefined) {
      const isHopeless = performance.now() - this.#awaySince > PATIENCE;
      if (isHopeless || this.#waiting.size >= MAX_WAITING) throw new Unavailable(AWAY);
      const session = await new Promise<Session | undefined>((resolve) => this.#waiting.add(resolve));
      if (session === undefined) throw new Unavailable(AWAY);
      return session;
    }
    if (this.#session.pool.waitingCount >= MAX_WAITING) throw new Unavailable(BUSY);
    return this.#session;
  }

  /** Looks now whether the server answers and which data set is current. */
  async look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    this.#leave();
    this.#tellWaiting(undefined);
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.look()
        .then(() => this.#probe())
        .then(() => this.#schedule());
    }, LOOK_INTERVAL).unref();
  }

  async #lookOnce(): Promise<void> {
    const session = this.#session;
    if (session !== undefined) {
      try {
        const look = await lookWithin(session.watch, this.#current);
        const { target } = this.#credentials.url;
        session.isWanted = isWanted(target, look.role);
        if (isAcceptable(target, look.role)) this.#confirm(look);
        else this.#leave();
      } catch (error) {
        this.#leave();
        this.#events?.away(reasonOf(error, session.host));
      }
    }
    const isRevisit =
      this.#session?.isWanted === false && performance.now() - this.#visitedAt > REVISIT_INTERVAL;
    if ((this.#session === undefined || isRevisit) && !this.#isClosed) {
      const { reasons } = await this.#elect();
      if (this.#session === undefined) {
        if (performance.now() - this.#awaySince > PATIENCE) this.#tellWaiting(undefined);
        this.#events?.away(reasons.join('; '));
      }
    }
  }

  /** Whether searches get connections: the watch has one already, where a role or a proxy may give no more. */
  async #probe(): Promise<void> {
    const session = this.#session;
    // Where searches wait, others are being answered.
    if (session === undefined || session.pool.waitingCount > 0) return;
    const ask = (): Promise<string | undefined> =>
      session.pool.query('SELECT').then(
        () => undefined,
        (error) => reasonOf(error, session.host),
      );
    // The first may meet a connection that broke while nobody used it.
    const refused = (await ask()) && (await ask());
    if (session !== this.#session) return;
    this.#refused = refused;
    const trouble = refused ?? this.#stale;
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    if (trouble === undefined) this.#events?.connected(shownHost(session.host));
    else this.#events?.trouble(trouble);
  }

  /** Goes to the server that is chosen, if it is better than none or the one that is left for it. */
  async #elect(): Promise<Election> {
    this.#visitedAt = performance.now();
    const election = await elect(this.#credentials, this.#current);
    const { chosen } = election;
    if (chosen === undefined) return election;
    const isBetter = this.#session === undefined || isWanted(this.#credentials.url.target, chosen.look.role);
    if (isBetter && !this.#isClosed) this.#enter(chosen);
    else end(chosen.client);
    return election;
  }

  #enter({ host, client, tls, look }: Candidate): void {
    this.#leave();
    const pool = new pg.Pool({
      ...configOf(this.#credentials, host, tls ?? false),
      max: this.#credentials.url.connections,
      connectionTimeoutMillis: ATTEMPT_TIMEOUT,
      query_timeout: ATTEMPT_TIMEOUT,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: MAX_LIFETIME,
      onConnect: setUp,
    });
    // A connection that breaks while nobody uses it is no news: the watch tells.
    pool.on('error', () => {});
    const { target } = this.#credentials.url;
    this.#session = { host, pool, watch: client, isWanted: isWanted(target, look.role) };
    this.#trouble = undefined;
    this.#confirm(look);
    this.#events?.connected(shownHost(host));
    this.#tellWaiting(this.#session);
  }

  /** Nothing is waited for: the server may be gone. */
  #leave(): void {
    if (this.#session === undefined) return;
    this.#awaySince = performance.now();
    end(this.#session.watch);
    void this.#session.pool.end().catch(() => {});
    this.#session = undefined;
    this.#refused = undefined;
  }

  #confirm({ generation, fault }: Look): void {
    this.#stale = fault;
    if (fault !== undefined) return;
    this.#confirmedAt = performance.now();
    const known = this.#current;
    if (known?.number === generation.number && known.facts.identity === generation.facts.identity) return;
    this.#current = generation;
    if (known !== undefined) this.#events?.replaced();
  }

  #tellWaiting(session: Session | undefined): void {
    for (const resolve of this.#waiting) resolve(session);
    this.#waiting.clear();
  }
}

const AWAY = 'The database cannot be searched for the moment. Try again.';
const BUSY = 'Too many searches wait for the database. Try again.';

/** A plan for each text would take longer than the search. */
async function setUp(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SET statement_timeout = ${ATTEMPT_TIMEOUT}; SET plan_cache_mode = force_generic_plan; SET jit = off; SET max_parallel_workers_per_gather = 0`,
  );
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
