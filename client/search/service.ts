/**
 * The foods of the service, and why it fails.
 */
import { AnsweredWithError, BlockedOrUnreachable, searchFoods } from '../../src/browser/search-foods.ts';
import { IS_ELSEWHERE, SERVICE } from '../service/address.ts';
import type { Answer, Query } from './find-foods.ts';

export type Failure =
  | { readonly kind: 'unreachable' | 'blocked' | 'insecure' }
  | { readonly kind: 'answered'; readonly status: number; readonly message: string };

/** @throws SearchError */
export async function lookUp({ text, isExact }: Query, signal?: AbortSignal): Promise<Answer> {
  // The browser's own copy of an answer may be from another data set. Revalidating it costs next to nothing.
  const options = { signal, cache: 'no-cache', match: isExact ? undefined : 'words' } as const;
  const foods = await searchFoods(SERVICE, text, options);
  const { matchedWords = [], missingWords = [], tag = null } = foods;
  return { foods, corrections: matchedWords, missing: missingWords, tag };
}

/** @throws whatever is not a failure of the service */
export async function failureOf(error: unknown, signal?: AbortSignal): Promise<Failure> {
  if (error instanceof BlockedOrUnreachable) return { kind: await kindOfNetworkError(signal) };
  if (!(error instanceof AnsweredWithError)) throw error;
  return { kind: 'answered', status: error.status, message: error.message };
}

/**
 * To a script, a blocked response and a service that is down look the same. A request in no-cors mode distinguishes
 * them: it succeeds if there is any response, although the script cannot read it.
 */
async function kindOfNetworkError(signal?: AbortSignal): Promise<'unreachable' | 'blocked' | 'insecure'> {
  if (!IS_ELSEWHERE) return 'unreachable';
  try {
    await fetch(new URL('api/food', SERVICE), {
      mode: 'no-cors',
      credentials: 'omit',
      signal: signal ?? null,
    });
    return 'blocked';
  } catch {
    return location.protocol === 'https:' && SERVICE.protocol === 'http:' ? 'insecure' : 'unreachable';
  }
}
