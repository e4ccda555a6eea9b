/**
 * What the beginning of a JSON text shows of its shape, without parsing it: it may be cut anywhere.
 */

export interface JsonOutline {
  /** Whether an array comes first. */
  readonly isArray: boolean;
  /** The names in the first object. */
  readonly keys: readonly string[];
  /** The names in the first object of the first array in that object; undefined where it has no array of objects. */
  readonly keysInArray: readonly string[] | undefined;
}

/**
 * A string, with the colon behind it where it is a name; or a bracket. A string cut by the end of the text matches too:
 * otherwise each of its quotes would be tried as the beginning of another string.
 */
const TOKENS = /"((?:[^"\\]|\\[\s\S])*)(?:"(\s*:)?|\\?$)|[{}[\]]/g;

export function jsonOutline(json: string): JsonOutline {
  const isArray = /^\s*\[/.test(json);
  const { keys, array } = firstObject(json);
  return { isArray, keys, keysInArray: array === undefined ? undefined : firstObject(array).keys };
}

/** The names at the top of the first object, and the text from its first array of objects on. */
function firstObject(json: string): { keys: readonly string[]; array: string | undefined } {
  const keys = new Set<string>();
  let array: string | undefined;
  let depth = 0;
  const text = json.slice(Math.max(json.indexOf('{'), 0));
  for (const { 0: token, 1: key, 2: colon, index } of text.matchAll(TOKENS)) {
    if (key !== undefined) {
      if (depth === 1 && colon !== undefined) keys.add(key);
      continue;
    }
    if (token === '[' && depth === 1 && array === undefined) {
      const rest = text.slice(index);
      if (/^\[\s*\{/.test(rest)) array = rest;
    }
    depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) break;
  }
  return { keys: [...keys], array };
}
