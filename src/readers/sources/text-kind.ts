/**
 * Recognises the format of a text by its header line.
 */
import { UserError } from '../../errors.ts';
import { EXPECTED, MAX_HEAD } from '../bytes/file-kind.ts';
import { isAbbreviated } from './abbreviated.ts';

/** `own`: a user's own table. `json`: any text in JSON. */
type TextKind = 'own' | 'json' | 'open-food-facts' | 'abbreviated';

const JSON_START = /^\s*(?:\[\s*(?:[[{\]"\d-]|$)|\{\s*(?:["}]|$))/;

/** @throws UserError if the format of the text is not read; the message says what to use instead */
export function textKind(head: Buffer, where: string): TextKind {
  const end = head.indexOf(10);
  const line = head
    .toString('utf8', 0, end < 0 ? head.length : end)
    .replace(/^\ufeff/, '')
    .trimEnd();
  if (/^\s*<(?:!doctype|!--|\?xml|(?:html|head|body|meta|style|table|div)\b)/i.test(line)) {
    throw new UserError(
      `${where} is a web page, not a data set: the download was refused or moved, or a program exported its table as HTML. ` +
        `Open it in a browser; if it shows a table, save that with a spreadsheet program. ${EXPECTED}.`,
    );
  }
  if (JSON_START.test(head.toString('latin1', 0, 1024).replace(/^\xef\xbb\xbf/, ''))) return 'json';
  const cells = line.split('\t');
  if (cells.includes('code') && cells.includes('product_name') && /_100g(\t|$)/m.test(line)) {
    return 'open-food-facts';
  }
  if (isAbbreviated(line)) return 'abbreviated';
  // A table of the user's own may have the ids of FoodData Central, too; the tables of a download have no energy.
  if (
    /^"?((id"?,"?)?fdc_id|id"?,"?name"?,"?unit_name)"?,/.test(line) &&
    !/energy|calor|kcal|kj/i.test(line)
  ) {
    throw new UserError(
      `${where} is one table of a FoodData Central download. Name the zip, or the folder of all its tables.`,
    );
  }
  if (end < 0 && head.length >= MAX_HEAD) {
    throw new UserError(`${where}: the first line is longer than 1 MiB. ${EXPECTED}.`);
  }
  return 'own';
}
