/**
 * What the beginning of a JSON text shows of its structure, without parsing it: it may be truncated anywhere.
 */

export interface JsonOutline {
  readonly isArray: boolean;
  readonly keys: readonly string[];
  /** The arrays of objects, in their order: the first one, those in its objects, or those in the first object. */
  readonly arrays: readonly ArrayOfObjects[];
  /** The names in the first object that is directly in that object; empty if there is none. */
  readonly memberKeys: readonly string[];
}

/** The place of an array of objects, and the names in the first of them. */
export interface ArrayOfObjects extends JsonPlace {
  readonly keys: readonly string[];
}

export interface JsonPlace {
  /** The brackets around them: 0 in JSON lines, 1 in `[{…}]`, 2 in `{"foods": [{…}]}`. */
  readonly level: number;
  /**
   * The number of the array among those of its level, counted from 1: 2 for the foods of `{"units": [], "foods": [{…}]}`.
   * 0 at the levels 0 and 1.
   */
  readonly array: number;
  /** Whether an object encloses them, with a key for each. */
  readonly isKeyed?: boolean;
}

const MAX_ARRAYS = 20;

/**
 * A string, with the colon after it if it is a name; or a bracket. A string that the end of the text cuts off matches too:
 * otherwise each of its quotes would be tried as the beginning of another string.
 */
const TOKENS = /"((?:[^"\\]|\\[\s\S])*)(?:"(\s*:)?|\\?$)|[{}[\]]/g;

/** @param most arrays of objects that are looked at */
export function jsonOutline(json: string, most = MAX_ARRAYS): JsonOutline {
  const keys = new Set<string>();
  const arrays: ArrayOfObjects[] = [];
  let memberKeys: readonly string[] = [];
  const open: string[] = [];
  const counts: number[] = [];
  const isArray = /^\s*\[/.test(json);
  const text = json.slice(Math.max(json.indexOf(isArray ? '[' : '{'), 0));
  for (const { 0: token, 1: key, 2: colon, index } of text.matchAll(TOKENS)) {
    if (key !== undefined) {
      if (open.length === 1 && colon !== undefined) keys.add(key);
    } else if (token === '}' || token === ']') {
      open.pop();
      if (open.length === 0) break;
    } else {
      const level = open.length + 1;
      if (token === '[') {
        const array = (counts[level] ?? 0) + 1;
        counts[level] = array;
        const isWanted = arrays.length < most && open.lastIndexOf('[') <= 0 && open.at(-1) !== '[';
        if (isWanted && /^\[\s*\{/.test(text.slice(index, index + 1000)))
          arrays.push({ level, array, keys: jsonOutline(text.slice(text.indexOf('{', index)), 0).keys });
      }
      if (token === '{' && open.length === 1 && memberKeys.length === 0 && most > 0)
        memberKeys = jsonOutline(text.slice(index), 0).keys;
      open.push(token);
    }
  }
  return { isArray, keys: isArray ? (arrays[0]?.keys ?? []) : [...keys], arrays, memberKeys };
}
