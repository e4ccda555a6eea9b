/**
 * Where the service is, and why it cannot be asked.
 */
import {
  BlockedOrUnreachable,
  isSearchError,
  SearchAborted,
  searchFoods,
} from '../src/browser/search-foods.ts';
import { type Food, foodOf } from './food.ts';

/** The folder of the page, unless `?api=URL` or the build variable VITE_API names a service elsewhere. */
export const SERVICE = serviceAddress();

export const IS_ELSEWHERE = SERVICE.origin !== location.origin;

function serviceAddress(): URL {
  const page = new URL('.', location.href);
  const asked = new URLSearchParams(location.search).get('api') ?? import.meta.env.VITE_API;
  if (typeof asked !== 'string' || asked === '' || !URL.canParse(asked, page)) return page;
  const address = new URL(asked, page);
  if (!/^https?:$/.test(address.protocol)) return page;
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  address.search = '';
  address.hash = '';
  return address;
}

/** Why there are no foods to show. */
export type Failure =
  | { readonly kind: 'unreachable' | 'blocked' | 'insecure' }
  | { readonly kind: 'answered'; readonly status: number; readonly message: string };

export class SearchFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, cause: unknown) {
    super(failure.kind, { cause });
    this.failure = failure;
  }
}

/** @throws SearchAborted, SearchFailed */
export async function lookUp(text: string, signal: AbortSignal): Promise<readonly Food[]> {
  try {
    const entries = await searchFoods(SERVICE, text, { signal });
    return entries.map(foodOf);
  } catch (error) {
    if (!isSearchError(error) || error instanceof SearchAborted) throw error;
    if (error instanceof BlockedOrUnreachable) {
      throw new SearchFailed({ kind: await reasonOfSilence(signal) }, error);
    }
    throw new SearchFailed({ kind: 'answered', status: error.status, message: error.message }, error);
  }
}

/**
 * A blocked answer and a service that is down look the same to a script. A request in no-cors mode tells them apart:
 * its answer cannot be read, but that there is one can be seen.
 */
async function reasonOfSilence(signal: AbortSignal): Promise<'unreachable' | 'blocked' | 'insecure'> {
  if (!IS_ELSEWHERE) return 'unreachable';
  try {
    await fetch(new URL('api/food', SERVICE), { mode: 'no-cors', credentials: 'omit', signal });
    return 'blocked';
  } catch {
    return location.protocol === 'https:' && SERVICE.protocol === 'http:' ? 'insecure' : 'unreachable';
  }
}
