/**
 * Reads a request to the search: its text, the content coding that it accepts, and the tags of the answers that the client has.
 */
import { SEARCH } from '../operations/outcomes.ts';

/** Content codings, the preferred one first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

const DEFAULT_WEIGHT = 1;

/** Elements of a list that are read: a header may have 32,000 of them, and clients send fewer than ten. */
const MAX_ELEMENTS = 16;

/** A number from 0 to 1. More digits than the three of the grammar do no harm. */
const WEIGHT = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/;

/** Browsers send few different values, so the choice for these is remembered; made-up values cannot fill the memory. */
const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 100;
const remembered = new Map<string, Coding | undefined>();

/** Whether a request target is that of the search as browsers write it. */
export function isFoodTarget(target: string): boolean {
  const { path } = SEARCH;
  return target.startsWith(path) && (target.length === path.length || target[path.length] === '?');
}

const queryOf = (target: string): URLSearchParams => {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
};

/** The first value of a parameter, decoded as browsers encode it; empty if there is none. */
export const textOf = (target: string, parameter: string): string => queryOf(target).get(parameter) ?? '';

/** How a text is matched: as a whole, or word by word. */
export type Match = 'text' | 'words';

/** What `match` requests; any other value, which is an error, as it is. */
export function matchOf(target: string): Match | { readonly unknown: string } {
  if (!target.includes('&')) return 'text';
  const match = queryOf(target).get('match');
  if (match === null) return 'text';
  return match === 'words' ? match : { unknown: match };
}

/** The first tags in `If-None-Match`, which compares weakly (RFC 9110, 13.1.2). */
export function tagsIn(ifNoneMatch: string): string[] {
  return ifNoneMatch.split(',', MAX_ELEMENTS).map((tag) => tag.trim().replace(/^W\/(?=")/, ''));
}

/**
 * The content coding with the greatest weight (RFC 9110, 12.5.3), the preferred one among equals; undefined: the answer is
 * sent plain, even if the client excludes everything.
 * @param accepted value of `Accept-Encoding`
 */
export function codingFor(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined || accepted === '') return undefined;
  const known = remembered.get(accepted);
  if (known !== undefined || remembered.has(accepted)) return known;
  const coding = choose(weightsOf(accepted));
  if (accepted.length <= MAX_REMEMBERED_LENGTH && remembered.size < MAX_REMEMBERED)
    remembered.set(accepted, coding);
  return coding;
}

function choose(weights: ReadonlyMap<string, number>): Coding | undefined {
  const others = weights.get('*') ?? 0;
  // Without its own weight, the plain answer ranks below every accepted coding.
  const plain = weights.get('identity') ?? 0;
  let chosen: Coding | undefined;
  let best = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others;
    if (weight > best && weight >= plain) {
      chosen = coding;
      best = weight;
    }
  }
  return chosen;
}

/** The weights of the first codings, by names in lower case. */
function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of accepted.toLowerCase().split(',', MAX_ELEMENTS)) {
    const [name = '', parameter] = element.split(';', 2);
    const coding = name.trim();
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightOf(parameter));
  }
  return weights;
}

/** An unreadable weight is 0: every client accepts the plain answer. */
function weightOf(parameter: string | undefined): number {
  if (parameter === undefined) return DEFAULT_WEIGHT;
  const [name = '', value = ''] = parameter.split('=', 2);
  return name.trim() === 'q' && WEIGHT.test(value.trim()) ? Number(value) : 0;
}
