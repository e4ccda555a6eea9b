/** Reads XML as a stream of tags and texts, and bounds the memory that a hostile file can fill. */
import sax from 'sax';
import { shown, UserError } from '../../system/errors.ts';
import { decoded, UTF8 } from './encoding.ts';
import type { Bytes } from './streams.ts';

/** Names have no prefix, because each program may choose its own. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void;
  close?(name: string): void;
  /** A long text comes in several parts. */
  text?(text: string, path: readonly string[]): void;
}

/** Files of office programs nest less than ten deep, and have a dozen attributes. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 100;

/** Calls the handler for the tags and texts in order, and yields after each chunk. @throws UserError */
export async function* readXml(bytes: Bytes, where: string, handler: XmlHandler): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  const path: string[] = [];
  let attributes = 0;
  parser.onopentagstart = () => {
    attributes = 0;
    if (path.length >= MAX_DEPTH) throw broken(where, `tags nest more than ${MAX_DEPTH} deep`);
  };
  parser.onattribute = () => {
    if (++attributes > MAX_ATTRIBUTES)
      throw broken(where, `a tag has more than ${MAX_ATTRIBUTES} attributes`);
  };
  parser.onopentag = ({ name: whole, attributes }) => {
    const name = whole.slice(whole.indexOf(':') + 1);
    path.push(name);
    handler.open(name, attributes as Readonly<Record<string, string>>, path);
  };
  parser.onclosetag = () => {
    const name = path.pop() ?? '';
    handler.close?.(name);
  };
  parser.ontext = (text) => handler.text?.(text, path);
  parser.oncdata = parser.ontext;
  parser.onerror = (error) => {
    throw broken(where, error.message.split('\n', 1)[0] ?? '');
  };
  for await (const text of decoded(bytes, UTF8, broken(where, 'the text is not UTF-8'))) {
    parser.write(text);
    yield;
  }
  parser.close();
  yield;
}

const broken = (where: string, reason: string): UserError =>
  new UserError(`${where}: the XML cannot be read (${shown(reason).slice(1, -1)}). Save the file again.`);
