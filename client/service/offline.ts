/** Asks the service, or what the browser has kept of it while it cannot be reached. */
import { atom } from 'nanostores';
import { AnsweredWithError, BlockedOrUnreachable } from '../../packages/browser/search-foods.ts';

/** Whether the last answer was from what the browser has kept. */
export const offlineStore = atom(false);

/** ms after which a network that does not answer counts as none. */
const PATIENCE = 3000;

/** Of a failed request: `fetch` itself throws a TypeError. Behind a proxy, a service that is down has a status of its own. */
const isAway = (error: unknown): boolean =>
  error instanceof BlockedOrUnreachable ||
  error instanceof TypeError ||
  (error instanceof AnsweredWithError && [502, 504].includes(error.status));

/** Begins to keep the page, if the browser can, which over plain HTTP it does for `localhost` alone. */
export function keepOffline(service: URL): void {
  navigator.serviceWorker?.register(new URL('worker.js', service)).catch(() => {
    // The page works without.
  });
}

/**
 * @param ask asks a service at an address
 * @throws what the service itself makes it throw, if the browser has kept no answer
 */
export async function askService<Answer>(
  service: URL,
  ask: (address: URL) => Promise<Answer>,
): Promise<Answer> {
  const asked = ask(service);
  const hasWorker = navigator.serviceWorker?.controller != null;
  if (!hasWorker) return asked;
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
    const kept = await ask(new URL('offline/', service)).catch(() => undefined);
    const answer = kept ?? (await asked);
    offlineStore.set(kept !== undefined);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}
