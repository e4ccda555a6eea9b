/**
 * Turns the name of a source into a path: downloads a release known by name, or an address.
 */

import { shown, WrongUse } from '../../system/errors.ts';
import { cacheFolder, hasScheme } from '../../system/paths.ts';
import { statOf } from '../bytes/streams.ts';
import type { SourceReport } from '../report/source-report.ts';

export interface FetchOptions {
  /** Another address for the only source that is given by name. */
  readonly url?: string;
  /** The SHA-256 of the one downloaded file, as 64 hexadecimal digits. */
  readonly sha256?: string;
  /** Where downloads are kept; by default the user's cache folder. */
  readonly cacheFolder?: string;
  readonly signal?: AbortSignal;
}

interface Release {
  readonly url: string;
  /** Of the file at the address; undefined if it is unknown or changes. */
  readonly sha256?: string;
  /** Whether the file at the address never changes, so that a copy in the cache is used without asking the server. */
  readonly fixed: boolean;
}

const usda = (file: string, sha256?: string): Release => ({
  url: `https://fdc.nal.usda.gov/fdc-datasets/FoodData_Central_${file}.zip`,
  fixed: true,
  ...(sha256 !== undefined && { sha256 }),
});

/** The data sets that are known by name, with the address of the latest release known to this version. */
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

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);
const isRelease = (name: string): boolean => Object.hasOwn(RELEASES, name);

/** @throws WrongUse if a name is unknown, or an option fits no source or several */
export function checkNames(names: readonly string[], { url, sha256 }: FetchOptions): void {
  const known = Object.keys(RELEASES).join(', ');
  if (names.length === 0) {
    throw new WrongUse(`No source is given. Name a file, a folder, an address, or one of ${known}.`);
  }
  for (const name of names) {
    if (/^usda:/.test(name) && !isRelease(name)) {
      throw new WrongUse(`There is no data set ${shown(name)}. Known by name: ${known}.`);
    }
    if (hasScheme(name) && !isAddress(name)) {
      throw new WrongUse(
        `Source ${shown(name)}: only http and https addresses are read. Download the file and name it.`,
      );
    }
  }
  if (names.filter((name) => name === '-').length > 1) {
    throw new WrongUse('Standard input (-) is given twice, but can be read only once.');
  }
  if (url !== undefined && names.filter(isRelease).length !== 1) {
    throw new WrongUse(`--url is another address for one source given by name (${known}); name exactly one.`);
  }
  if (url !== undefined && !(isAddress(url) && URL.canParse(url))) {
    throw new WrongUse(`--url: ${shown(url)} is not an address such as https://example.org/data.zip.`);
  }
  if (sha256 === undefined) return;
  if (!/^[0-9a-f]{64}$/i.test(sha256)) {
    throw new WrongUse(`--sha256: ${shown(sha256)} is not a SHA-256. Expected: 64 hexadecimal digits.`);
  }
  if (names.filter((name) => isRelease(name) || isAddress(name)).length !== 1) {
    throw new WrongUse(
      '--sha256 is for one download; name exactly one source that is an address or a known name.',
    );
  }
}

/** The path of the source's file or folder, downloaded if necessary; `-` stays. @throws UserError */
export async function fetchSource(source: SourceReport, options: FetchOptions): Promise<string> {
  const { name } = source;
  const release = RELEASES[name];
  if (release === undefined && !isAddress(name)) {
    if (name !== '-') await statOf(name);
    return name;
  }
  source.phase('download');
  const folder = options.cacheFolder ?? cacheFolder();
  const url = release === undefined ? name : (options.url ?? release.url);
  const known = url === release?.url ? release : undefined;
  // Loading the HTTP client takes a tenth of the time of a small import.
  const { download } = await import('./download.ts');
  const { file, note } = await download(url, {
    folder,
    fixed: known?.fixed === true,
    progress: (bytes, totalBytes) => source.progress(totalBytes && bytes / totalBytes),
    waiting: () => source.progress(undefined, 'waiting for another import that downloads it'),
    sha256: options.sha256 ?? known?.sha256,
    signal: options.signal,
  });
  source.phase(undefined);
  if (note !== undefined) source.notes.push(note);
  return file;
}
