/**
 * Finds the rows of a JSON text and splits it into them: those of an array, of the only array in an object, of an object
 * with a name for each, or consecutive ones (JSON lines). Only one object is in memory at a time, however deep the text nests.
 */
import { isUtf8 } from 'node:buffer';
import { UserError } from '../../system/errors.ts';
import { printable } from '../../text/printable.ts';
import type { Bytes } from '../bytes/streams.ts';

/** Where objects are in a JSON text. */
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

/**
 * What the beginning of a JSON text shows of its structure: whether an array comes first, the names in the first object, and
 * where arrays of objects are: the first one, those in its objects, or those in the first object.
 * @param most arrays of objects that are looked at
 */
export function jsonOutline(json: string, most = MAX_ARRAYS) {
  const keys = new Set<string>();
  /** With the names in their first objects. */
  const arrays: (JsonPlace & { readonly keys: readonly string[] })[] = [];
  /** The names in the first object that is directly in the first object; empty if there is none. */
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

/** Numbers stay text. */
export type JsonValue = string | boolean | null;

export interface JsonRow {
  /** By name; one within another object by both names, with a line break between them; its key by {@link KEY}. */
  readonly values: ReadonlyMap<string, JsonValue>;
  /** Counted from 1. */
  readonly row: number;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
}

/** The name of the key of an object among others, as in `{"Egg": {"kcal": 143}}`. */
export const KEY = '';

const MAX_NESTED = 3;

const MAX_KEY = 4096;

/** Bytes. */
const MAX_OBJECT = 1024 * 1024;

const LF = 10;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const ARRAY = 91;
const ARRAY_END = 93;
const OBJECT = 123;
const OBJECT_END = 125;

const NO_OBJECT = 'expected an object with names, such as {"name": "Egg", "kcal": 143}';

/** Of a byte order mark, too. */
const isBlank = (byte: number): boolean => BLANKS.includes(byte);
const BLANKS = [32, LF, 13, 9, 0xef, 0xbb, 0xbf];

export async function* jsonRows(bytes: Bytes, rows: JsonPlace, where: string): AsyncGenerator<JsonRow> {
  const splitter = new JsonSplitter(rows, where);
  let row = 0;
  for await (const chunk of bytes) {
    for (const { text, line, key } of splitter.push(chunk)) {
      row++;
      const values = valuesOf(text, `${where}, line ${line}`);
      yield { values: key === undefined ? values : new Map([[KEY, key], ...values]), row, line };
    }
  }
  splitter.end();
}

interface Found {
  readonly text: Buffer;
  readonly line: number;
  readonly key: string | undefined;
}

class JsonSplitter {
  readonly #place: JsonPlace;
  readonly #where: string;
  #line = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The bytes of the last text beside the rows, which is the key of the next one. */
  #key: number[] = [];
  /** Whether what encloses the rows, within an object, is an array. */
  #isInArray = false;
  #arrays = 0;
  #isEnded = false;
  #pieces: Buffer[] = [];
  #pending = 0;
  #isInObject = false;
  #startLine = 0;

  constructor(place: JsonPlace, where: string) {
    this.#place = place;
    this.#where = where;
  }

  push(chunk: Buffer): Found[] {
    const { level } = this.#place;
    const found: Found[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LF) this.#line++;
      if (this.#isInString) this.#inString(byte);
      else if (this.#isInObject) {
        this.#inside(byte);
        if (this.#depth > level) continue;
        this.#isInObject = false;
        this.#pieces.push(chunk.subarray(start, at + 1));
        const key = this.#place.isKeyed ? unquoted(this.#key) : undefined;
        found.push({ text: Buffer.concat(this.#pieces), line: this.#startLine, key });
        this.#pieces = [];
        this.#pending = 0;
      } else if (byte === OBJECT && this.#isAmongRows()) {
        start = at;
        this.#begin();
      } else this.#outside(byte);
    }
    if (this.#isInObject) this.#hold(chunk.subarray(start));
    return found;
  }

  end(): void {
    if (this.#depth > 0 || this.#isInString)
      throw this.#fault('the JSON is cut off: something opens and never closes');
  }

  #hold(rest: Buffer): void {
    this.#pieces.push(Buffer.from(rest));
    this.#pending += rest.length;
    if (this.#pending > MAX_OBJECT)
      throw new UserError(
        `${this.#where}, line ${this.#startLine}: an object is longer than 1 MiB. Is a brace left open?`,
      );
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    if (this.#isInString && this.#place.isKeyed && !this.#isInObject && this.#key.length < MAX_KEY)
      this.#key.push(byte);
  }

  /** In an object that is a row: only its end matters. */
  #inside(byte: number): void {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OBJECT || byte === ARRAY) this.#depth++;
    else if (byte === OBJECT_END || byte === ARRAY_END) this.#depth--;
  }

  #outside(byte: number): void {
    if (isBlank(byte)) return;
    if (this.#isEnded) throw this.#fault('something follows the end of the JSON');
    const isOwn = this.#place.level < 2 || this.#place.array === this.#arrays;
    if (isOwn && !this.#place.isKeyed && this.#isAmongRows() && byte !== COMMA && byte !== ARRAY_END)
      throw this.#fault(NO_OBJECT);
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#key = [];
    } else if (byte === OBJECT || byte === ARRAY) {
      if (this.#depth === this.#place.level - 1) {
        this.#isInArray = byte === ARRAY;
        if (byte === ARRAY) this.#arrays++;
      }
      this.#depth++;
    } else if (byte === OBJECT_END || byte === ARRAY_END) {
      if (this.#depth === 0) throw this.#fault('a bracket closes that was never opened');
      this.#depth--;
      this.#isEnded = this.#depth === 0;
    }
  }

  /** Whether rows are here, or in a later array, which would be lost. */
  #isAmongRows(): boolean {
    if (this.#depth !== this.#place.level) return false;
    return this.#place.level < 2 || (this.#isInArray && this.#arrays >= this.#place.array);
  }

  /** Begins a row. @throws UserError if another array has had rows */
  #begin(): void {
    if (this.#isEnded) throw this.#fault('something follows the end of the JSON');
    if (this.#place.level >= 2 && this.#arrays !== this.#place.array)
      throw this.#fault('a second array of objects begins. Save the one with the foods as a file');
    this.#isInObject = true;
    this.#startLine = this.#line;
    this.#depth++;
  }

  #fault(what: string): UserError {
    return new UserError(`${this.#where}, line ${this.#line}: ${what}.`);
  }
}

function unquoted(bytes: readonly number[]): string {
  const text = Buffer.from(bytes).toString();
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** A text or a number of JSON, or what Python writes for numbers that JSON lacks. */
const SCALARS =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|\bNaN\b|-?\bInfinity\b/gs;

/** The values of an object by name. Numbers keep every digit: the parser would round them to binary ones. */
function valuesOf(json: Buffer, at: string): ReadonlyMap<string, JsonValue> {
  if (!isUtf8(json)) throw new UserError(`${at}: the text is not UTF-8. Save the file as JSON in UTF-8.`);
  try {
    const texts = json
      .toString()
      .replace(SCALARS, (scalar) => (scalar.startsWith('"') ? scalar : `"${scalar}"`));
    const values = new Map<string, JsonValue>();
    collect(JSON.parse(texts) as object, '', values, 0);
    return values;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ') : error;
    throw new UserError(`${at}: this object is not valid JSON (${printable(String(reason))}).`);
  }
}

/** Also reads nested objects. Their names follow those around them, after a line break; arrays contain no cell. */
function collect(object: object, before: string, values: Map<string, JsonValue>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const whole = before + name;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) values.set(whole, value);
    else if (!Array.isArray(value) && depth < MAX_NESTED) collect(value, `${whole}\n`, values, depth + 1);
  }
}
