/**
 * The data sets that are known by name, with the address of the latest release known to this version.
 */
import type { DataSetLabel } from '../../catalog.ts';

export interface Release {
  readonly url: string;
  /** Of the file at the address; undefined where it is not known or changes. */
  readonly sha256?: string;
  /** Whether the file at the address never changes, so that a copy in the cache needs no question. */
  readonly fixed: boolean;
}

type Credit = Pick<DataSetLabel, 'source' | 'licence'>;

const USDA_FOLDER = 'https://fdc.nal.usda.gov/fdc-datasets/';

/** Where people find the addresses of later releases. */
export const USDA_PAGE = 'https://fdc.nal.usda.gov/download-datasets';

export const USDA_CREDIT: Credit = {
  source: 'U.S. Department of Agriculture, Agricultural Research Service, FoodData Central, fdc.nal.usda.gov',
  licence: 'public domain (CC0 1.0)',
};

const STANDARD_REFERENCE: Credit = {
  source: 'USDA National Nutrient Database for Standard Reference',
  licence: 'public domain',
};

/** An abbreviated table of the Standard Reference: it does not say of which release it is. */
export const ABBREVIATED: Omit<DataSetLabel, 'date'> = {
  name: 'USDA SR (release not known), abbreviated',
  ...STANDARD_REFERENCE,
};

/** That of release 28, which no other one has as many rows as. */
export const ABBREVIATED_28: { readonly rows: number; readonly label: DataSetLabel } = {
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

const usda = (file: string, sha256?: string): Release => ({
  url: `${USDA_FOLDER}FoodData_Central_${file}.zip`,
  fixed: true,
  ...(sha256 === undefined ? {} : { sha256 }),
});

export const RELEASES: Readonly<Record<string, Release>> = {
  'usda:foundation': usda('foundation_food_csv_2026-04-30'),
  'usda:sr-legacy': usda(
    'sr_legacy_food_csv_2018-04',
    'b80817294b8850530aaedf2e515c02593b1824f763a0ff356e5c2081643e6fd0',
  ),
  'usda:survey': usda(
    'survey_food_csv_2024-10-31',
    '5ccc25ec2777a8982fbb61378a42f415316173eb11e48c9a8ba4cb19f5a4f29c',
  ),
  'usda:branded': usda('branded_food_csv_2026-04-30'),
  'open-food-facts': {
    url: 'https://static.openfoodfacts.org/data/en.openfoodfacts.org.products.csv.gz',
    fixed: false,
  },
};

/** The date in the name of a file or folder, such as `2026-04-30` or `2018-04`. */
export function dateInName(name: string): string | undefined {
  return /(?<!\d)(20\d\d-[01]\d(?:-[0-3]\d)?)(?!\d)/.exec(name)?.[1];
}
