/**
 * The rows of `branded_food.csv`, in which a branded product appears again with each change of its label.
 */
import { barcodeOf } from '../rules/duplicates.ts';
import type { Row } from '../tables/row.ts';
import type { Header } from '../tables/table.ts';
import type { Version } from './usda-foods.ts';

/**
 * Returns what reads the version of a product from a row below this header; missing columns are empty.
 * @param today as YYYY-MM-DD: a product to be discontinued later is kept
 */
export function versionReader(header: Header, today: string): (row: Row) => Version {
  const owner = header.find('brand_owner');
  const brand = header.find('brand_name');
  const gtin = header.find('gtin_upc');
  const source = header.find('data_source');
  const available = header.find('available_date');
  const modified = header.find('modified_date');
  const discontinued = header.find('discontinued_date');
  const now = dayOf(today);
  return (row) => {
    const end = dayOf(row.text(discontinued));
    return {
      source: row.text(source),
      gtin: barcodeOf(row.text(gtin)),
      available: dayOf(row.text(available)),
      modified: dayOf(row.text(modified)),
      discontinued: end > 0 && end <= now,
      brand: row.text(brand) || row.text(owner),
    };
  };
}

/** A date as YYYYMMDD, from `2019-04-01` or `4/1/2019`; 0 for anything else. */
function dayOf(text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d\d?)-(\d\d?)/.exec(text) ?? [];
  if (year !== undefined) return Number(year) * 10_000 + Number(month) * 100 + Number(day);
  const [, americanMonth, americanDay, americanYear] = /^(\d\d?)\/(\d\d?)\/(\d{4})/.exec(text) ?? [];
  if (americanYear === undefined) return 0;
  return Number(americanYear) * 10_000 + Number(americanMonth) * 100 + Number(americanDay);
}
