/** Asks the service; while it cannot be reached, the index of its data set, or what the browser has kept of its answers. */
import { atom } from 'nanostores';
import { AnsweredWithError, BlockedOrUnreachable } from '../../packages/browser/search-foods.ts';
import { fromIndex, hasThread } from './index-thread.ts';

/** Whether the last answer was from what the browser has kept. */
export const offlineStore = atom(false);

/** Sends a request. */
export type Send = (address: URL, options?: RequestInit) => Promise<Response>;

/** ms after which a network that does not answer counts as none. */
const PATIENCE = 3000;

/** Of a failed request: `fetch` itself throws a TypeError. Behind a proxy, a service that is down has a status of its own. */
const isAway = (error: unknown): boolean =>
  error instanceof BlockedOrUnreachable ||
  error instanceof TypeError ||
  (error instanceof AnsweredWithError && [502, 504].includes(error.status));

/** Keeps the page, if the browser can, which over plain HTTP it does for `localhost` alone. Ends when it is kept. */
export const keepOffline = async (service: URL, language: string): Promise<unknown> =>
  navigator.serviceWorker
    ?.register(new URL(`worker.js?lang=${language}`, service))
    .then(() => navigator.serviceWorker.ready)
    .catch(() => {
      // The page works without.
    });

/** Asks nothing of the network. */
const sendToKept: Send = async (address, options) =>
  (await fromIndex(address)) ?? fetch(address, { ...options, cache: 'only-if-cached', mode: 'same-origin' });

/** @throws what the service itself makes it throw, if the browser has kept no answer */
export async function askService<Answer>(ask: (send: Send) => Promise<Answer>): Promise<Answer> {
  const asked = ask(fetch);
  if (navigator.serviceWorker?.controller == null && !hasThread()) return asked;
  let timer: number | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = window.setTimeout(resolve, PATIENCE);
  });
  try {
    const answer = await Promise.race([asked, late]);
    if (answer === undefined) throw new BlockedOrUnreachable('No answer yet');
    offlineStore.set(false);
    return answer;
  } catch (error) {
    if (!isAway(error)) throw error;
    const kept = await ask(sendToKept).catch(() => undefined);
    const answer = kept ?? (await asked);
    offlineStore.set(kept !== undefined);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}
