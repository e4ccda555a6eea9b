/**
 * Texts in other encodings, as UTF-8.
 */
import { isUtf8 } from 'node:buffer';
import { shown, UserError, WrongUse } from '../../errors.ts';
import type { Bytes } from './streams.ts';

/** The encoding that needs no decoding. */
export const UTF8 = 'utf-8';

const BYTE_ORDER_MARKS: readonly (readonly [string, string])[] = [
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['\xef\xbb\xbf', UTF8],
];

/** The encoding that a byte order mark shows. */
export function encodingByMark(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 3);
  return BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
}

/** @throws WrongUse if there is no such encoding; the name is what the Encoding Standard calls a label */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new WrongUse(
      `--encoding ${shown(encoding)} cannot be used: there is no such encoding. Examples: utf-8, windows-1252, utf-16le, iso-8859-2.`,
    );
  }
}

/** The text as UTF-8, without a byte order mark. @throws UserError if the bytes are not in the encoding */
export async function* transcoded(bytes: Bytes, encoding: string, where: string): AsyncGenerator<Buffer> {
  const decoder = decoderOf(encoding);
  const decode = (chunk?: Buffer): Buffer => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new UserError(`${where}: the text is not ${encoding}. Name its encoding with --encoding.`);
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** Passes the bytes on, whole characters at a time. @throws UserError at the first line that is not UTF-8 */
export async function* checkedUtf8(source: Bytes, where: string): AsyncGenerator<Buffer> {
  let lines = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.subarray(0, wholeCharacters(bytes));
    if (!isUtf8(whole)) throw notUtf8(whole, lines, where);
    for (let at = whole.indexOf(LF); at >= 0; at = whole.indexOf(LF, at + 1)) lines++;
    rest = Buffer.from(bytes.subarray(whole.length));
    if (whole.length > 0) yield whole;
  }
  if (rest.length > 0) throw notUtf8(rest, lines, where, true);
}

const LF = 10;

/**
 * @param lines the line breaks before these bytes
 * @param cut whether the bytes are a character that the end of the file truncates
 */
function notUtf8(bytes: Buffer, lines: number, where: string, cut = false): UserError {
  let line = lines + 1;
  let start = 0;
  let end = bytes.indexOf(LF);
  for (; end >= 0 && isUtf8(bytes.subarray(start, end)); end = bytes.indexOf(LF, start)) {
    line++;
    start = end + 1;
  }
  const text = bytes.subarray(start, end < 0 ? bytes.length : end);
  const word = cut ? undefined : wordInWindows1252(text);
  const remedy =
    word === undefined
      ? 'Save the file as CSV in UTF-8, or import it with the name of its encoding: --encoding NAME'
      : `As Windows-1252 it has the word ${shown(word)}: if that is right, import it with --encoding windows-1252, or save it as CSV in UTF-8`;
  return new UserError(`${where}, line ${line}: the text is not UTF-8. ${remedy}.`);
}

/** The first word with a letter beyond ASCII, if the line is likely to be Windows-1252: all such bytes are usual letters or signs. */
function wordInWindows1252(line: Buffer): string | undefined {
  const text = new TextDecoder('windows-1252').decode(line);
  if (/[^\p{ASCII}\p{Script=Latin}µ°·×½¼¾²³®™©«»‘’‚“”„–—…€£\u00a0´]/u.test(text)) return undefined;
  return text.split(/[\s;,|"]+/).find((word) => /(?!\p{ASCII})\p{Script=Latin}/u.test(word));
}

/** The length without a character that is truncated at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
