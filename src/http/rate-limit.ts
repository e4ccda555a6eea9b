/**
 * Limits the searches of each client in a window of time, and reports the limit in the headers of the IETF draft
 * "RateLimit header fields for HTTP". The windows are held in a bounded cache, by the library that also caches answers;
 * libraries for rate limits run behind a router, which searches bypass.
 *
 * An answer that shared caches may store carries the policy, which is the same for all clients, and no counter: a cache
 * would report one client's counter to all others. `Cache-Control: private` would exclude shared caches, and most of
 * these take `no-cache="RateLimit"` for a plain `no-cache`. So only a refusal, which no cache stores, carries the counter.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RateLimit, TrustProxy } from '../settings/limits.ts';
import { clientOf } from './client-address.ts';
import type { HeaderList } from './headers.ts';

/** Clients that are remembered; beyond that, the least recently active are forgotten. */
const MAX_CLIENTS = 100_000;

interface Window {
  used: number;
  /** As of `performance.now()`. */
  readonly startedAt: number;
}

export interface Allowance {
  /** s until the client may search again; 0: it may now. */
  readonly retryAfter: number;
  readonly headers: HeaderList;
}

export class RateLimiter {
  readonly limit: RateLimit;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });
  readonly #policy: HeaderList;

  constructor(limit: RateLimit, trustProxy: TrustProxy | undefined) {
    this.limit = limit;
    this.#trustProxy = trustProxy;
    this.#policy = ['RateLimit-Policy', `"search";q=${limit.requests};w=${limit.seconds}`];
  }

  /** Counts a search of a client. @param now as of `performance.now()` */
  take(request: IncomingMessage, now: number): Allowance {
    const { requests, seconds } = this.limit;
    const client = clientOf(request, this.#trustProxy);
    let window = this.#windows.get(client);
    if (window === undefined || now - window.startedAt >= 1000 * seconds) {
      window = { used: 0, startedAt: now };
      this.#windows.set(client, window);
    }
    if (window.used < requests) {
      window.used++;
      return { retryAfter: 0, headers: this.#policy };
    }
    // Computed from the elapsed time, which is exactly 0 at first; end minus now may exceed the window by a rounding error.
    const reset = seconds - Math.floor((now - window.startedAt) / 1000);
    return { retryAfter: reset, headers: [...this.#policy, 'RateLimit', `"search";r=0;t=${reset}`] };
  }
}
