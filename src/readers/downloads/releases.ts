/**
 * The data sets that are known by name, with the address of the latest release known to this version;
 * newest-release.ts looks for later ones.
 */

export interface Release {
  readonly url: string;
  /** Of the file at the address; undefined if it is unknown or changes. */
  readonly sha256?: string;
  /** Whether the file at the address never changes, so that a copy in the cache is used without asking the server. */
  readonly fixed: boolean;
  /** Whether later releases appear at other addresses. */
  readonly hasSuccessors?: boolean;
}

const USDA_FOLDER = 'https://fdc.nal.usda.gov/fdc-datasets/';

const usda = (file: string, more: Partial<Release> = {}): Release => ({
  url: `${USDA_FOLDER}FoodData_Central_${file}.zip`,
  fixed: true,
  hasSuccessors: true,
  ...more,
});

export const RELEASES: Readonly<Record<string, Release>> = {
  'usda:foundation': usda('foundation_food_csv_2026-04-30'),
  'usda:sr-legacy': usda('sr_legacy_food_csv_2018-04', {
    sha256: 'b80817294b8850530aaedf2e515c02593b1824f763a0ff356e5c2081643e6fd0',
    hasSuccessors: false,
  }),
  'usda:survey': usda('survey_food_csv_2024-10-31', {
    sha256: '5ccc25ec2777a8982fbb61378a42f415316173eb11e48c9a8ba4cb19f5a4f29c',
  }),
  'usda:branded': usda('branded_food_csv_2026-04-30'),
  'open-food-facts': {
    url: 'https://static.openfoodfacts.org/data/en.openfoodfacts.org.products.csv.gz',
    fixed: false,
  },
};
