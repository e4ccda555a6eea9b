/**
 * Decides when searches by words run. One may take as long as a thousand others, and Node.js accepts one new connection in each
 * turn of its event loop: if all that have arrived ran in one turn, clients that send many would lock out all others.
 *
 * So no other begins once those of a turn have taken some ms. Those that wait run in later turns, alternately that of the client
 * that has cost least and the oldest: a new client comes next or next but one, however many wait, and no other waits long after
 * one costly search. A database gets only a few at once: their postings are read in the event loop, too, and with more all would
 * end too late.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../operations/metrics.ts';
import type { TrustProxy } from '../settings/settings.ts';
import { clientOf } from './client-address.ts';

/** ms of searching in a turn after which no other search begins. */
const TURN = 10;

/** Searches by words that a database gets at once: half of its connections, so that others remain for searches for texts. */
const MOST_AT_ONCE = 4;

/** ms after which a search that still waits is refused. */
const PATIENCE = 1000;

/**
 * ms between two looks for such searches, and what counts at most: no search takes as long, so in a longer one the process got no
 * processor, and would refuse searches that nothing but this kept waiting.
 */
const TICK = 20;
const LONGEST_TICK = 300;

/** Searches that are refused at one look, and their share if many wait: those that arrived together are late together. */
const REFUSED = 16;
const REFUSED_SHARE = 1 / 100;

/** Clients and connections whose cost is remembered; beyond that, the least recently active are forgotten. */
const MAX_REMEMBERED = 2000;

export class Overloaded extends Error {}

/** ms that searches have taken. */
interface Cost {
  spent: number;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly client: Cost;
  readonly connection: Cost;
  readonly since: number;
  run(): void;
  refuse(): void;
}

export class SearchTurns {
  readonly #metrics: Metrics;
  readonly #trustProxy: TrustProxy | undefined;
  /** In order of arrival. */
  readonly #waiting: Waiting[] = [];
  /** Of clients and of connections, since no search waited. */
  readonly #costs = new LRUCache<string | Socket, Cost>({
    max: MAX_REMEMBERED,
    memoMethod: () => ({ spent: 0 }),
  });
  #running = 0;
  /** ms of searching in this turn or in the last one that had any, and when that ended. */
  #spent = 0;
  #endedAt = 0;
  /** Connections accepted before this turn. */
  #accepted = 0;
  #isScheduled = false;
  /** Whether the last search was the one that had waited for longest. */
  #wasOldest = false;
  /** ms for which searches have waited, as far as they count, and when that was last known; runs while any waits. */
  #time = 0;
  #tickedAt = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(metrics: Metrics, trustProxy: TrustProxy | undefined) {
    this.#metrics = metrics;
    this.#trustProxy = trustProxy;
  }

  /** The result of a search once it is its turn. @throws Overloaded after a second without one */
  take<Result>(request: IncomingMessage, search: () => Result | Promise<Result>): Promise<Result> {
    const client = this.#costs.memo(clientOf(request, this.#trustProxy));
    const connection = this.#costs.memo(request.socket);
    if (this.#ticking === undefined) {
      this.#tickedAt = performance.now();
      this.#ticking = setTimeout(() => this.#tick(), TICK);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        request,
        client,
        connection,
        since: this.#time,
        run: () => resolve(this.#run(search, [client, connection])),
        refuse: () => reject(new Overloaded()),
      });
      this.#metrics.levels.queued++;
      this.#schedule();
    });
  }

  async #run<Result>(search: () => Result | Promise<Result>, costs: readonly Cost[]): Promise<Result> {
    const started = performance.now();
    const charge = (): number => {
      const took = performance.now() - started;
      for (const cost of costs) cost.spent += took;
      return took;
    };
    const result = search();
    if (!(result instanceof Promise)) {
      this.#spent += charge();
      this.#endedAt = performance.now();
      return result;
    }
    this.#running++;
    // It goes on in this turn, for up to some ms if all that it needs has been read before.
    this.#spent = TURN;
    try {
      return await result;
    } finally {
      this.#running--;
      charge();
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    if (this.#waiting.length > 0 && this.#areClientsArriving()) {
      this.#schedule();
      return;
    }
    this.#spent = 0;
    while (this.#waiting.length > 0 && this.#spent < TURN && this.#running < MOST_AT_ONCE) {
      const next = this.#next();
      if (next.request.socket.destroyed) next.refuse();
      else next.run();
    }
    if (this.#waiting.length > 0) {
      if (this.#running < MOST_AT_ONCE) this.#schedule();
    } else if (this.#running === 0) this.#costs.clear();
  }

  /** Whether the last turn has accepted a connection, and so the next may accept another, up to half of the time. */
  #areClientsArriving(): boolean {
    const { connections } = this.#metrics.counts;
    const isArriving = connections > this.#accepted;
    this.#accepted = connections;
    return isArriving && performance.now() - this.#endedAt < this.#spent;
  }

  #next(): Waiting {
    let next = 0;
    this.#wasOldest = !this.#wasOldest;
    if (!this.#wasOldest)
      for (let i = 1; i < this.#waiting.length; i++)
        if (comesBefore(this.#waiting[i] as Waiting, this.#waiting[next] as Waiting)) next = i;
    this.#metrics.levels.queued--;
    return this.#waiting.splice(next, 1)[0] as Waiting;
  }

  /** Refuses some of the searches that have waited for too long. */
  #tick(): void {
    const now = performance.now();
    this.#time += Math.min(now - this.#tickedAt, LONGEST_TICK);
    this.#tickedAt = now;
    for (let left = Math.max(REFUSED, this.#waiting.length * REFUSED_SHARE); left > 0; left--) {
      const [oldest] = this.#waiting;
      if (oldest === undefined || this.#time - oldest.since < PATIENCE) break;
      this.#metrics.levels.queued--;
      this.#waiting.shift()?.refuse();
    }
    this.#ticking = this.#waiting.length > 0 ? setTimeout(() => this.#tick(), TICK) : undefined;
  }
}

/**
 * Whether a search runs before another one. Behind a proxy that is not trusted, all are the same client. Of connections that have
 * cost nothing yet, those with short texts come first, because these mostly cost less.
 */
function comesBefore(one: Waiting, other: Waiting): boolean {
  const difference =
    one.client.spent - other.client.spent ||
    one.connection.spent - other.connection.spent ||
    (one.request.url ?? '').length - (other.request.url ?? '').length;
  return difference < 0;
}
