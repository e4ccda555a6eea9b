/** Makes a description from a name and a brand in a public data set, and tells which foods and products are the same. */
import { decodeHTMLStrict } from 'entities';
import { type FoodRecord, fatOf, fold, KeyTable, keyOf, type TextKey } from '#core';
import type { Row } from '../formats/row-splitter.ts';
import type { SourceReport } from '../report/source-report.ts';

/** Control characters and the line breaks of Unicode, which are in names only by mistake. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;
const BREAKS = /\s*[\p{Cc}\u2028\u2029][\s\p{Cc}]*/gu;
/** Characters that need more than trimming; most names have none of them. */
const UNUSUAL = /[^\x21-\x7e\u00a1-\u1fff\u3001-\ufffc ]|&|^ | $/;
/** `&amp;quot;` is a quote escaped twice. */
const MAX_ESCAPED = 3;

/** The name in a cell of a table in UTF-8, where some cells may still be in Latin-1. */
export function rawName(row: Row, cell: number, report: SourceReport): string {
  const name = row.text(cell);
  if (!name.includes('\ufffd') || row.isUtf8(cell)) return name;
  report.repaired.add('Latin-1 in the name');
  return row.text(cell, 'latin1');
}

/** The name without entities, control characters and surrounding spaces; repairs are counted. */
export function cleanName(raw: string, report: SourceReport): string {
  if (!UNUSUAL.test(raw)) return raw;
  const name = withoutEntities(raw);
  if (name !== raw) report.repaired.add('HTML entities in the name');
  if (raw.includes('\ufffd')) report.repaired.add('invalid UTF-8 in the name, replaced by U+FFFD');
  if (CONTROLS.test(name)) report.repaired.add('control characters or line breaks in the name');
  return name.replace(BREAKS, ' ').trim();
}

export function withoutEntities(raw: string): string {
  let text = raw;
  for (let i = 0; i < MAX_ESCAPED && text.includes('&'); i++) {
    const decoded = decodeHTMLStrict(text);
    if (decoded === text) break;
    text = decoded;
  }
  return text;
}

/** Appends the brand if the name does not contain it, so that a search finds it; the name is then also returned. */
export function withBrand(name: string, brand: string): Pick<FoodRecord, 'description' | 'name'> {
  if (brand === '' || fold(name).includes(fold(brand))) return { description: name };
  return { description: `${name}, ${brand}`, name };
}

/** A set of texts, or of lists of texts, by 64 bits of each. */
export class TextSet {
  readonly #keys = new KeyTable();

  get size(): number {
    return this.#keys.size;
  }

  /** @returns whether the texts are new */
  add(...texts: readonly string[]): boolean {
    const { size } = this;
    return this.numberOf(keyOf(...texts)) === size;
  }

  /** The number of the texts with this key, from 0 on in the order in which they were new. */
  numberOf({ low, high }: TextKey): number {
    return this.#keys.numberOf(low, high);
  }
}

/**
 * The same for equal foods: by everything that answers show of them. Of the fatty acids that is their sum; neither it nor
 * a popularity can be told from an index, which can be a source, as exactly as from the table that it was made of.
 */
export function equalityKey(food: FoodRecord): TextKey {
  const { carbohydrate_g, protein_g, kcal, description, portions = [], names = [] } = food;
  const key = keyOf(carbohydrate_g ?? '', protein_g ?? '', fatOf(food), kcal ?? '', description);
  for (const { portion, grams } of portions) {
    key.addText(portion);
    key.addText(grams);
  }
  for (const name of names) key.addText(name);
  return key;
}

/** The text by which two barcodes are the same: a GTIN of 12 digits is one of 13 or 14 digits without leading zeros. */
export function barcodeOf(text: string): string {
  return text.trim().replace(/^0+/, '');
}
