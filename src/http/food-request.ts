/**
 * Reads a request to the search: its text, the content coding that it accepts, and the tags of the answers that the client has.
 */
import { SEARCH } from '../operations/outcomes.ts';

/** Content codings, the preferred one first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Elements of a list that are read: a header may have 32,000 of them, and clients send fewer than ten. */
const MAX_ELEMENTS = 16;

/** The weight of a coding: a number from 0 to 1. More digits than the three of the grammar do no harm. */
const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)\s*$/;

/** Browsers send few different values, so the choice for these is remembered. */
const MAX_REMEMBERED = 100;
const remembered = new Map<string, Coding | undefined>();

/** Whether a request target is that of the search as browsers write it. */
export function isFoodTarget(target: string): boolean {
  const { path } = SEARCH;
  return target.startsWith(path) && (target.length === path.length || target[path.length] === '?');
}

/** The first value of a parameter, decoded as browsers encode it. */
export function parameterOf(target: string, parameter: string): string | undefined {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)).get(parameter) ?? undefined;
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
  if (!accepted) return undefined;
  const known = remembered.get(accepted);
  if (known !== undefined || remembered.has(accepted)) return known;
  const coding = choose(accepted);
  // So that made-up values cannot fill the memory.
  if (remembered.size === MAX_REMEMBERED) remembered.clear();
  remembered.set(accepted, coding);
  return coding;
}

function choose(accepted: string): Coding | undefined {
  const weights: Record<string, number> = {};
  for (const element of accepted.toLowerCase().split(',', MAX_ELEMENTS)) {
    const [name = '', weight = 'q=1'] = element.split(';', 2);
    // An unreadable weight is 0: every client accepts the plain answer.
    weights[name.trim().replace('x-gzip', 'gzip')] = Number(WEIGHT.exec(weight)?.[1] ?? 0);
  }
  // Without its own weight, the plain answer ranks below every accepted coding.
  const { '*': others = 0, identity = 0 } = weights;
  const weightOf = (coding: Coding): number => weights[coding] ?? others;
  const [best] = CODINGS.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= identity ? best : undefined;
}
