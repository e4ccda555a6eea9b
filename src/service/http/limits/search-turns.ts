/**
 * Lets searches by words take turns: one may take as long as a thousand others, and Node.js accepts one new connection in each
 * turn of the event loop. If all that have arrived ran in one, clients that send many would lock out all others, so no other
 * begins once those of a turn have taken some ms. Those that wait run in later turns, alternately that of the client that has
 * cost least and the oldest: a new client comes next or next but one, however many wait, and no other waits long after one costly
 * search. A database gets only a few at once: their postings are read in the event loop, too, and with more all would end too late.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { WorkClock } from '#core';
import type { Metrics } from '../../operations/metrics.ts';
import type { TrustProxy } from '../../settings/settings.ts';
import { clientOf } from '../food-request.ts';
import type { Patience } from './patience.ts';

/** Searches that a database gets at once: half of its connections, so that others remain for searches for texts. */
const MOST_AT_ONCE = 4;

/** ms between two looks for searches that have waited for too long. */
const TICK = 20;

/** Searches that are refused at one look at most: those that arrived together are late together. */
const REFUSED = 100;

/** Clients and connections whose cost is remembered; beyond that, the least recently active are forgotten. */
const MAX_REMEMBERED = 2000;

export class Overloaded extends Error {}

/** ms that searches have taken. */
interface Cost {
  spent: number;
}

interface Waiting {
  readonly request: IncomingMessage;
  /** Behind a proxy that is not trusted, all are one client. */
  readonly costs: readonly [client: Cost, connection: Cost];
  readonly since: number;
  run(): void;
  refuse(): void;
}

export class SearchTurns {
  readonly #metrics: Metrics;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #patience: Patience;
  readonly #clock = new WorkClock();
  /** In order of arrival. */
  readonly #waiting: Waiting[] = [];
  /** Of clients and of connections, since no search waited. */
  readonly #costs = new LRUCache<string | Socket, Cost>({
    max: MAX_REMEMBERED,
    memoMethod: () => ({ spent: 0 }),
  });
  #running = 0;
  /** ms that the last turn has taken, and when it ended, by the clock. */
  #spent = 0;
  #endedAt = 0;
  /** Connections accepted before this turn. */
  #accepted = 0;
  #isScheduled = false;
  #isOldestNext = false;
  /** Reads the clock and refuses late searches, while any waits or runs. */
  #ticking: NodeJS.Timeout | undefined;

  constructor(metrics: Metrics, trustProxy: TrustProxy | undefined, patience: Patience) {
    this.#metrics = metrics;
    this.#trustProxy = trustProxy;
    this.#patience = patience;
  }

  /** Searches that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The result of a search once it is its turn. @throws Overloaded after a second without one, by the clock */
  take<Result>(request: IncomingMessage, search: () => Result | Promise<Result>): Promise<Result> {
    const client = clientOf(request, this.#trustProxy);
    const costs = [this.#costs.memo(client), this.#costs.memo(request.socket)] as const;
    if (this.#ticking === undefined) {
      this.#clock.read();
      this.#ticking = setTimeout(() => this.#tick(), TICK);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        request,
        costs,
        since: this.#clock.time,
        run: () => resolve(this.#run(search, costs)),
        refuse: () => reject(new Overloaded()),
      });
      this.#schedule();
    });
  }

  async #run<Result>(search: () => Result | Promise<Result>, costs: Waiting['costs']): Promise<Result> {
    // Read when the turn began, or the search before ended.
    const started = this.#clock.time;
    try {
      const result = search();
      if (!(result instanceof Promise)) return result;
      this.#running++;
      return await result.finally(() => {
        this.#running--;
        this.#schedule();
      });
    } finally {
      const spent = this.#clock.read() - started;
      for (const cost of costs) cost.spent += spent;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const began = this.#clock.read();
    if (this.#waiting.length > 0 && this.#areClientsArriving(began)) {
      this.#schedule();
      return;
    }
    const running = this.#running;
    // One that a database answers ends the turn: it goes on for up to some ms if all that it needs has been read before.
    const isOver = () => this.#running > running || this.#clock.time - began >= this.#patience.words;
    while (this.#waiting.length > 0 && running < MOST_AT_ONCE && !isOver()) {
      this.#isOldestNext = !this.#isOldestNext;
      for (const next of this.#waiting.splice(this.#isOldestNext ? 0 : this.#cheapest(), 1))
        if (next.request.socket.destroyed) next.refuse();
        else next.run();
    }
    this.#endedAt = this.#clock.read();
    this.#spent = this.#endedAt - began;
    // While a database has as many as it gets, the end of one is the next turn.
    if (this.#waiting.length > 0 && this.#running < MOST_AT_ONCE) this.#schedule();
    else if (this.#waiting.length + this.#running === 0) this.#costs.clear();
  }

  /** Whether the last turn has accepted a connection, and so the next may accept another, up to half of the time. */
  #areClientsArriving(now: number): boolean {
    const { connections } = this.#metrics.counts;
    const isArriving = connections > this.#accepted;
    this.#accepted = connections;
    return isArriving && now - this.#endedAt < this.#spent;
  }

  #cheapest(): number {
    let cheapest = 0;
    for (let i = 1; i < this.#waiting.length; i++)
      if (costOf(this.#waiting[i] as Waiting) < costOf(this.#waiting[cheapest] as Waiting)) cheapest = i;
    return cheapest;
  }

  /** Refuses some of the searches that have waited for too long. */
  #tick(): void {
    const now = this.#clock.read();
    const late = this.#waiting.slice(0, REFUSED).filter(({ since }) => now - since >= this.#patience.wait);
    for (const each of this.#waiting.splice(0, late.length)) each.refuse();
    const isNeeded = this.#waiting.length + this.#running > 0;
    this.#ticking = isNeeded ? setTimeout(() => this.#tick(), TICK) : undefined;
  }
}

/** Among those that have cost nothing yet, short texts come first, because these mostly cost less. */
const costOf = ({ request: { url = '' }, costs: [client, connection] }: Waiting): number =>
  client.spent + connection.spent + url.length / 1e6;
