/**
 * Limits the searches of each client in a window of time, and reports the limit in the headers of the IETF draft
 * "RateLimit header fields for HTTP". The windows are in a bounded cache; libraries for rate limits run behind a router, which
 * searches bypass.
 *
 * An answer that shared caches may store carries the policy, which is the same for all clients, and no counter: a cache
 * would report one client's counter to all others. `Cache-Control: private` would exclude shared caches, and most of
 * them read `no-cache="RateLimit"` as plain `no-cache`. So only a refusal, which no cache stores, carries the counter.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RateLimit, TrustProxy } from '../settings/limits.ts';
import { clientOf } from './client-address.ts';
import type { HeaderList } from './headers.ts';

/** Clients that are remembered; beyond that, the least recently active are forgotten. */
const MAX_CLIENTS = 100_000;

/** The window of a client after a search. */
export interface Window {
  /** Whether the search was one of those that the limit allows. */
  readonly isAllowed: boolean;
  /** As of `performance.now()`. */
  readonly startedAt: number;
}

export interface ClientWindows {
  /** Counts a search of a client if it has one left. @param now as of `performance.now()` */
  take(client: string, now: number, limit: RateLimit): Window;
}

/** Windows of a single thread. */
export class OwnWindows implements ClientWindows {
  readonly #windows = new LRUCache<string, { used: number; readonly startedAt: number }>({
    max: MAX_CLIENTS,
  });

  take(client: string, now: number, { requests, seconds }: RateLimit): Window {
    let window = this.#windows.get(client);
    if (window === undefined || now - window.startedAt >= 1000 * seconds) {
      window = { used: 0, startedAt: now };
      this.#windows.set(client, window);
    }
    const isAllowed = window.used < requests;
    if (isAllowed) window.used++;
    return { isAllowed, startedAt: window.startedAt };
  }
}

export interface Allowance {
  /** s until the client may search again; 0: it may now. */
  readonly retryAfter: number;
  readonly headers: HeaderList;
}

export class RateLimiter {
  readonly limit: RateLimit;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #windows: ClientWindows;
  readonly #policy: HeaderList;

  constructor(limit: RateLimit, trustProxy: TrustProxy | undefined, windows: ClientWindows) {
    this.limit = limit;
    this.#windows = windows;
    this.#trustProxy = trustProxy;
    this.#policy = ['RateLimit-Policy', `"search";q=${limit.requests};w=${limit.seconds}`];
  }

  /** Counts a search of a client. @param now as of `performance.now()` */
  take(request: IncomingMessage, now: number): Allowance {
    const client = clientOf(request, this.#trustProxy);
    const { isAllowed, startedAt } = this.#windows.take(client, now, this.limit);
    if (isAllowed) return { retryAfter: 0, headers: this.#policy };
    // Computed from the elapsed time, which is 0 at first; end minus now may exceed the window by a rounding error.
    const reset = this.limit.seconds - Math.max(0, Math.floor((now - startedAt) / 1000));
    return { retryAfter: reset, headers: [...this.#policy, 'RateLimit', `"search";r=0;t=${reset}`] };
  }
}
