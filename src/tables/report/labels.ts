import type { DataSetLabel } from '#core';

type Credit = Pick<DataSetLabel, 'source' | 'licence' | 'language'>;

export const USDA_PAGE = 'https://fdc.nal.usda.gov/download-datasets';

const USDA_CREDIT: Credit = {
  source: 'U.S. Department of Agriculture, Agricultural Research Service, FoodData Central, fdc.nal.usda.gov',
  licence: 'public domain (CC0 1.0)',
  language: 'en',
};

const STANDARD_REFERENCE: Credit = {
  source: 'USDA National Nutrient Database for Standard Reference',
  licence: 'public domain',
  language: 'en',
};

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

export const OPEN_FOOD_FACTS_CREDIT: Credit = {
  source: 'Open Food Facts contributors, world.openfoodfacts.org',
  licence: 'Open Database License (ODbL) 1.0; contents under the Database Contents License (DbCL) 1.0',
};

/** National tables of food composition: headings that no other table has, name, source, licence, and the language if it has one. */
const NATIONAL_TABLES = `
  alim_code, alim_nom_fr | Ciqual (France)
    | Anses, Ciqual French food composition table, ciqual.anses.fr | Licence Ouverte 2.0 (Etalab)
  Food Code, Food Name, Main data references | CoFID (United Kingdom)
    | McCance and Widdowson's Composition of Foods Integrated Dataset | Open Government Licence v3.0 | en
  Public Food Key | AFCD (Australia)
    | Food Standards Australia New Zealand, Australian Food Composition Database
    | data user licence of FSANZ, based on CC BY-SA 3.0 AU | en
  NEVO-code | NEVO (Netherlands)
    | NEVO online, RIVM, Bilthoven | conditions of RIVM: figures unchanged, source named, not sold to users
  FoodID, FødevareNavn | Frida (Denmark)
    | Food data (frida.fooddata.dk), National Food Institute, Technical University of Denmark
    | the source is to be named
  ID SwissFIR | Swiss Food Composition Database
    | Federal Food Safety and Veterinary Office (FSVO), naehrwertdaten.ch
  BLS Code, Lebensmittelbezeichnung | BLS (Germany)
    | Max Rubner-Institut, Bundeslebensmittelschlüssel | CC BY 4.0`
  .split(/\n {2}(?! )/)
  .slice(1)
  .map((table) => table.split('|').map((part) => part.trim()));

/** The label of the national table with these headings, or else the same. What the user has said stays; `spoken` is what a heading says. */
export function withNational(label: DataSetLabel, headings: readonly string[], spoken: string | undefined) {
  const names = new Set(headings.map((heading) => heading.trim()));
  const table = NATIONAL_TABLES.find(([known = '']) => known.split(', ').every((each) => names.has(each)));
  const [, name, source, licence = null, national] = table ?? [];
  const language = label.language ?? national ?? spoken;
  if (name === undefined || source === undefined) return { ...label, language };
  return { ...label, name, source: label.source ?? source, licence: label.licence ?? licence, language };
}

const USDA_SETS: readonly (readonly [RegExp, string])[] = [
  [/foundation_food/, 'USDA Foundation Foods'],
  [/sr_legacy_food/, 'USDA SR Legacy'],
  [/survey_food/, 'USDA FNDDS (survey)'],
  [/branded_food/, 'USDA Branded Foods'],
];

/** The label of a FoodData Central download, by the names of its file and folder; `date` if they have none. */
export function usdaLabel(names: readonly string[], date: string): DataSetLabel {
  const known = USDA_SETS.find(([pattern]) => names.some((name) => pattern.test(name)));
  return {
    name: known?.[1] ?? 'USDA FoodData Central',
    date: names.map(dateInName).find((found) => found !== undefined) ?? date,
    ...USDA_CREDIT,
  };
}

/** `2026-04-30` or `2018-04`. */
const dateInName = (name: string): string | undefined =>
  /(?<!\d)20\d\d-[01]\d(?:-[0-3]\d)?(?!\d)/.exec(name)?.[0];
