/** Texts in other encodings, as UTF-8. */
import { isUtf8 } from 'node:buffer';
import { shown, UserError, WrongUse } from '#core';
import type { Bytes } from './streams.ts';

export const UTF8 = 'utf-8';

const BYTE_ORDER_MARKS: readonly (readonly [string, string])[] = [
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
  ['\xef\xbb\xbf', UTF8],
];

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

export async function* transcoded(bytes: Bytes, encoding: string, where: string): AsyncGenerator<Buffer> {
  const fault = `${where}: the text is not ${encoding}. Name its encoding with --encoding.`;
  for await (const text of decoded(bytes, encoding, new UserError(fault))) yield Buffer.from(text);
}

/** The text of all bytes. As a stream, because Node.js 20 decodes Windows-1252 otherwise as Latin-1, without `€`. */
export function textOf(bytes: Buffer, encoding: string): string {
  const decoder = new TextDecoder(encoding);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** The text, without a byte order mark. @param fault thrown if the bytes are not in the encoding */
export async function* decoded(bytes: Bytes, encoding: string, fault: UserError): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw fault;
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** What to say of a text that is not UTF-8. @param line of its first byte, counted from 1 */
export function notUtf8(bytes: Buffer, line: number, where: string): UserError {
  const texts = bytes.toString('latin1').split('\n');
  const at = texts.findIndex((each) => !isUtf8(Buffer.from(each, 'latin1')));
  const text = texts[at] ?? '';
  // The end of a file may cut a character.
  const whole = text.replace(/[\xc2-\xf4][\x80-\xbf]{0,2}$/, '');
  const isCut = at === texts.length - 1 && isUtf8(Buffer.from(whole, 'latin1'));
  const found = isCut ? undefined : wordInWindows1252(Buffer.from(text, 'latin1'));
  const [encoding, word = ''] = found ?? [];
  const remedy =
    encoding === undefined
      ? 'Save the file as CSV in UTF-8, or import it with the name of its encoding: --encoding NAME'
      : `As ${encoding} it has the word ${shown(word)}: if that is right, import it with --encoding ${encoding.toLowerCase()}, or save it as CSV in UTF-8`;
  return new UserError(`${where}, line ${line + at}: the text is not UTF-8. ${remedy}.`);
}

type Likely = readonly [encoding: string, word: string];

/** The share of bytes beyond ASCII in words with such bytes, from which on the letters are not Latin. */
const OTHER_SCRIPT = 0.6;

/** The first word beyond ASCII, if the line is likely to be Windows-1252: all such bytes are usual letters or signs. */
export function wordInWindows1252(line: Buffer): Likely | undefined {
  const text = textOf(line, 'windows-1252');
  if (/[^\p{ASCII}\p{Script=Latin}µ°·×½¼¾²³®™©«»‘’‚“”„–—…€£\u00a0´]/u.test(text)) return undefined;
  const words = text.split(/[ \t\r\n;,"]+/).filter((word) => word !== '');
  const odd = words.filter((each) => !/^\p{ASCII}+$/u.test(each)).join('');
  if (odd.replace(/\p{ASCII}/gu, '').length >= OTHER_SCRIPT * odd.length) return undefined;
  const word =
    words.find((each) => /(?!\p{ASCII})\p{Script=Latin}/u.test(each)) ??
    words.find((each) => /[^\p{ASCII}]/u.test(each));
  return word === undefined ? undefined : ['Windows-1252', word];
}
