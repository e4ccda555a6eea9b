/** Splits a JSON text into objects. Only one of them is in memory at a time, however deep the text nests. */
import { isUtf8 } from 'node:buffer';
import { printable, UserError } from '#core';
import type { Bytes } from '../bytes/streams.ts';

/** Where objects are in a JSON text. */
export interface JsonPlace {
  /** The brackets around them: 0 in JSON lines, 1 in `[{…}]`, 2 in `{"foods": [{…}]}`. */
  readonly level: number;
  /** Counts the arrays of its level: 2 for the foods of `{"units": [], "foods": [{…}]}`; 0 at the levels 0 and 1. */
  readonly array: number;
  /** Whether an object encloses them, with a key for each. */
  readonly isKeyed?: boolean;
}

const MAX_ARRAYS = 20;

/**
 * A string, with the colon after it if it is a name; a bracket; or a word. A string that the end of the text cuts off matches
 * too: otherwise each of its quotes would be tried as the beginning of another string.
 */
const TOKENS = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"(\s*:)?|(\\?$))|[{}[\]]|[^\s"{}[\],:\xef\xbb\xbf]+/g;

/**
 * What the beginning of a JSON text shows: whether an array comes first, the names in the first object, and the arrays of
 * objects, at most so many: the first one, those in its objects, or those in the first object.
 */
export function jsonOutline(json: string, most = MAX_ARRAYS) {
  const keys = new Set<string>();
  /** The same with those of the objects in it. */
  const inner = new Set<string>();
  let isFirstOfLines = false;
  /** That are open. */
  let lists = 0;
  /** With the names in their first objects. */
  const arrays: (JsonPlace & Record<'keys' | 'inner', readonly string[]>)[] = [];
  /** The names in the first object that is directly in the first object; empty if there is none. */
  let memberKeys: readonly string[] = [];
  const open: string[] = [];
  const counts: number[] = [];
  const isArray = /^\s*\[/.test(json);
  const text = json.slice(Math.max(json.indexOf(isArray ? '[' : '{'), 0));
  for (const { 0: token, 1: key, 2: colon, index } of text.matchAll(TOKENS)) {
    if (key !== undefined) {
      if (open.length === 1 && colon !== undefined) keys.add(key);
      if (lists === 0 && colon !== undefined) inner.add(key);
    } else if (token === '}' || token === ']') {
      if (open.pop() === '[') lists--;
      isFirstOfLines = open.length === 0 && /^\s*\{/.test(text.slice(index + 1, index + 1000));
      if (open.length === 0) break;
    } else if (token === '{' || token === '[') {
      const level = open.length + 1;
      if (token === '[') {
        const array = (counts[level] ?? 0) + 1;
        counts[level] = array;
        const isWanted = arrays.length < most && open.lastIndexOf('[') <= 0 && open.at(-1) !== '[';
        if (isWanted && /^\[\s*\{/.test(text.slice(index, index + 1000)))
          arrays.push({ ...jsonOutline(text.slice(text.indexOf('{', index)), 0), level, array });
      }
      if (token === '{' && open.length === 1 && memberKeys.length === 0 && most > 0)
        memberKeys = jsonOutline(text.slice(index), 0).keys;
      if (token === '[') lists++;
      open.push(token);
    }
  }
  const first = isArray ? arrays[0] : { keys: [...keys], inner: [...inner] };
  return { isArray, isFirstOfLines, keys: first?.keys ?? [], inner: first?.inner ?? [], arrays, memberKeys };
}

/** Numbers stay text. */
export type JsonValue = string | boolean | null;

export type JsonObject = { readonly [name: string]: unknown };

export interface JsonRow {
  /** By name; one within another object by both names, with a line break between them; its key by {@link KEY}. */
  readonly values: ReadonlyMap<string, JsonValue>;
  /** The whole, with its arrays. */
  readonly object: JsonObject;
  readonly row: number;
  readonly line: number;
}

/** The name of the key of an object among others, as in `{"Egg": {"kcal": 143}}`. */
export const KEY = '';

const MAX_NESTED = 3;

const NO_OBJECT = 'expected an object with names, such as {"name": "Egg", "kcal": 143}';

/** Bytes of an object, or of a text beside the rows. */
const MAX_OBJECT = 1024 * 1024;

export const jsonRows = (bytes: Bytes, place: JsonPlace, where: string): AsyncGenerator<JsonRow> =>
  new JsonSplitter(place, where).rows(bytes);

const linesIn = (text: string): number => text.split('\n').length - 1;

class JsonSplitter {
  readonly #place: JsonPlace;
  readonly #where: string;
  /** What is not split yet, with a character for each byte. */
  #text = '';
  #line = 1;
  #row = 0;
  /** The length up to which a row has been searched for its end. */
  #searched = 0;
  readonly #open: string[] = [];
  #arrays = 0;
  /** The last text beside the rows, which is the key of the next one. */
  #key = '""';
  #isEnded = false;

  constructor(place: JsonPlace, where: string) {
    this.#place = place;
    this.#where = where;
  }

  async *rows(bytes: Bytes): AsyncGenerator<JsonRow> {
    for await (const chunk of bytes) {
      this.#text += chunk.toString('latin1');
      // A long row is searched again only when it has doubled, so that its cost stays linear.
      if (this.#text.length >= 2 * this.#searched) yield* this.#split();
    }
    yield* this.#split();
    this.#line += linesIn(this.#text);
    if (this.#open.length > 0 || /["{]/.test(this.#text))
      throw this.#fault('the JSON is cut off: something opens and never closes');
  }

  *#split(): Generator<JsonRow> {
    const text = this.#text;
    let depth = 0;
    let used = 0;
    for (const { 0: token, 3: cut, index } of text.matchAll(TOKENS)) {
      if (cut !== undefined) break;
      if (depth > 0) {
        if (token === '{' || token === '[') depth++;
        else if (token === '}' || token === ']') depth--;
        if (depth > 0) continue;
        yield this.#rowOf(text.slice(used, index + 1));
        this.#line += linesIn(text.slice(used, index));
      } else {
        this.#line += linesIn(text.slice(used, index));
        used = index;
        if (this.#isEnded) throw this.#fault('something follows the end of the JSON');
        if (token === '{' && this.#isAmongRows()) {
          if (this.#place.level >= 2 && this.#arrays !== this.#place.array)
            throw this.#fault('a second array of objects begins. Save the one with the foods as a file');
          depth = 1;
          continue;
        }
        this.#outside(token);
        this.#line += linesIn(token);
      }
      used = index + token.length;
    }
    this.#text = text.slice(used);
    this.#searched = this.#text.length;
    if (this.#searched > MAX_OBJECT)
      throw this.#fault('an object is longer than 1 MiB; a brace may be left open');
  }

  #rowOf(text: string): JsonRow {
    const line = this.#line;
    const object = objectIn(Buffer.from(text, 'latin1'), `${this.#where}, line ${line}`);
    const values = new Map<string, JsonValue>(this.#place.isKeyed ? [[KEY, unquoted(this.#key)]] : []);
    collect(object, '', values, 0);
    return { values, object, row: ++this.#row, line };
  }

  #outside(token: string): void {
    const { level, array, isKeyed } = this.#place;
    const depth = this.#open.length;
    const isOwn = level < 2 || array === this.#arrays;
    if (isOwn && !isKeyed && this.#isAmongRows() && token !== ']') throw this.#fault(NO_OBJECT);
    if (token.startsWith('"')) this.#key = token;
    else if (token === '{' || token === '[') {
      if (depth === level - 1 && token === '[') this.#arrays++;
      this.#open.push(token);
    } else if (token === '}' || token === ']') {
      if (depth === 0) throw this.#fault('a bracket closes that was never opened');
      this.#open.pop();
      this.#isEnded = depth === 1;
    }
  }

  /** Whether rows are here, or in a later array, which would be lost. */
  #isAmongRows(): boolean {
    const { level, array } = this.#place;
    if (this.#open.length !== level) return false;
    return level < 2 || (this.#open.at(-1) === '[' && this.#arrays >= array);
  }

  #fault(what: string): UserError {
    return new UserError(`${this.#where}, line ${this.#line}: ${what}.`);
  }
}

/** The text of a name in JSON, whose bytes are characters here. */
function unquoted(name: string): string {
  const text = Buffer.from(name.replace(/\s*:$/, ''), 'latin1').toString();
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** A text or a number of JSON, or what Python writes for numbers that JSON lacks. */
const SCALARS =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|\bNaN\b|-?\bInfinity\b/gs;

/** Numbers keep every digit, as texts: the parser would round them to binary ones. */
function objectIn(json: Buffer, at: string): JsonObject {
  if (!isUtf8(json)) throw new UserError(`${at}: the text is not UTF-8. Save the file as JSON in UTF-8.`);
  try {
    const texts = json
      .toString()
      .replace(SCALARS, (scalar) => (scalar.startsWith('"') ? scalar : `"${scalar}"`));
    return JSON.parse(texts) as JsonObject;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ') : error;
    throw new UserError(`${at}: this object is not valid JSON (${printable(String(reason))}).`);
  }
}

/** Also reads nested objects. Their names follow those around them, after a line break; arrays contain no cell, but may be a list of texts. */
function collect(object: object, before: string, values: Map<string, JsonValue>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const whole = before + name;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) values.set(whole, value);
    else if (Array.isArray(value)) {
      const isList = value.every((each) => typeof each === 'string' && /\p{L}/u.test(each));
      if (isList && value.length > 0) values.set(whole, JSON.stringify(value));
    } else if (depth < MAX_NESTED) collect(value, `${whole}\n`, values, depth + 1);
  }
}
