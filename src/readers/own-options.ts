/**
 * What a command line says about users' own tables.
 */
import { canonicalDecimal } from '../decimal.ts';
import { shown, WrongUse } from '../errors.ts';
import { CHOSEN_FIELDS, type ChosenField, type ColumnOptions, fieldNamed } from './own/candidates.ts';

/** The values of `--column` and `--per`. @throws WrongUse */
export function columnOptions(columns: readonly string[], per: string | undefined): ColumnOptions {
  return {
    columns: new Map(columns.map(parseColumn)),
    ...(per === undefined ? {} : { per: parsePer(per) }),
  };
}

/** `kcal=Energy (kJ)`; nothing after `=` means that there is no such column. */
function parseColumn(text: string): [ChosenField, string] {
  const [, name = '', heading = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const field = fieldNamed(name);
  if (field !== undefined) return [field, heading];
  throw new WrongUse(
    `--column ${shown(text)} cannot be used: expected FIELD=HEADING, such as kcal="Energy (kcal)". The fields: ${CHOSEN_FIELDS.join(', ')} and so on.`,
  );
}

function parsePer(text: string): string {
  const [, amount = ''] = /^\s*(\d+(?:[.,]\d+)?)\s*(?:g|ml)?\s*$/i.exec(text) ?? [];
  const grams = canonicalDecimal(amount.replace(',', '.'));
  if (grams !== undefined && grams !== '0') return grams;
  throw new WrongUse(
    `--per ${shown(text)} cannot be used: expected the weight that the figures are for, such as 30g.`,
  );
}
