/** What data sets are called, and whose they are. */
import type { DataSetLabel } from '#core';
import { knownSources } from './known-sources.ts';

export const USDA_PAGE = 'https://fdc.nal.usda.gov/download-datasets';

function creditOf(whose: string): Pick<DataSetLabel, 'source' | 'licence' | 'language'> {
  const found = knownSources('credits').find(([name]) => name === whose) ?? [];
  const [, source = null, licence = null, language] = found;
  return { source, licence, ...(language !== undefined && { language }) };
}

const STANDARD_REFERENCE = creditOf('standard-reference');

export const ABBREVIATED: Omit<DataSetLabel, 'date'> = {
  name: 'USDA SR (release not known), abbreviated',
  ...STANDARD_REFERENCE,
};

/** Release 28, known by the number of its rows, which no other release has. */
export const ABBREVIATED_28 = {
  rows: 8790,
  label: {
    name: 'USDA SR 28, abbreviated',
    date: '2015',
    ...STANDARD_REFERENCE,
    source: `${STANDARD_REFERENCE.source}, release 28`,
  },
};

export const OPEN_FOOD_FACTS_CREDIT = creditOf('open-food-facts');

/** The label of the national table with these headings, or else the same. What the user has said stays; `spoken` is what a heading says. */
export function withNational(label: DataSetLabel, headings: readonly string[], spoken: string | undefined) {
  const names = new Set(headings.map((heading) => heading.trim()));
  const table = knownSources('national').find(([known = '']) =>
    known.split(', ').every((each) => names.has(each)),
  );
  const [, name, source, licence = null, national] = table ?? [];
  const language = label.language ?? national ?? spoken;
  if (name === undefined || source === undefined) return { ...label, language };
  return { ...label, name, source: label.source ?? source, licence: label.licence ?? licence, language };
}

/** The label of a FoodData Central download, by the names of its file and folder; `date` if they have none. */
export function usdaLabel(names: readonly string[], date: string): DataSetLabel {
  const known = knownSources('usda').find(([part = '']) => names.some((name) => name.includes(part)));
  return {
    name: known?.[1] ?? 'USDA FoodData Central',
    date: names.map(dateInName).find((found) => found !== undefined) ?? date,
    ...creditOf('usda'),
  };
}

/** `2026-04-30` or `2018-04`. */
const dateInName = (name: string): string | undefined =>
  /(?<!\d)20\d\d-[01]\d(?:-[0-3]\d)?(?!\d)/.exec(name)?.[0];
