/** Turns the name of a source into a path: downloads a release known by name, or an address. */
import { hasScheme, shown, WrongUse } from '#core';
import { statOf } from '../bytes/streams.ts';
import { knownSources } from '../report/known-sources.ts';
import type { SourceReport } from '../report/source-report.ts';
import { cacheFolder } from './cache-folder.ts';

export interface FetchOptions {
  /** Another address for the only source that is given by name. */
  readonly url?: string;
  readonly sha256?: string;
  readonly cacheFolder?: string;
}

/** The data sets known by name: the latest releases known to this version. */
export const RELEASES = Object.fromEntries(
  knownSources('releases').map(
    ([name = '', url = '', fixed, sha256]) => [name, { url, fixed: fixed !== undefined, sha256 }] as const,
  ),
);

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);
const isRelease = (name: string): boolean => Object.hasOwn(RELEASES, name);

/** @throws WrongUse if a name is unknown, or an option fits no source or several */
export function checkNames(names: readonly string[], { url, sha256 }: FetchOptions): void {
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) throw new WrongUse(message);
  };
  const known = Object.keys(RELEASES).join(', ');
  refuse(names.length === 0, `No source is given. Name a file, a folder, an address, or one of ${known}.`);
  for (const name of names) {
    const isUnknown = /^usda:/.test(name) && !isRelease(name);
    refuse(isUnknown, `There is no data set ${shown(name)}. Known by name: ${known}.`);
    refuse(
      hasScheme(name) && !isAddress(name),
      `Source ${shown(name)}: only http and https addresses are read. Download the file and name it.`,
    );
  }
  const isTwice = names.filter((name) => name === '-').length > 1;
  refuse(isTwice, 'Standard input (-) is given twice, but can be read only once.');
  if (url !== undefined) {
    const isOne = names.filter(isRelease).length === 1;
    refuse(!isOne, `--url is another address for one source given by name (${known}); name exactly one.`);
    const isUsable = isAddress(url) && URL.canParse(url);
    refuse(!isUsable, `--url: ${shown(url)} is not an address such as https://example.org/data.zip.`);
  }
  if (sha256 === undefined) return;
  const isSha256 = /^[0-9a-f]{64}$/i.test(sha256);
  refuse(!isSha256, `--sha256: ${shown(sha256)} is not a SHA-256. Expected: 64 hexadecimal digits.`);
  const isOne = names.filter((name) => isRelease(name) || isAddress(name)).length === 1;
  refuse(!isOne, '--sha256 is for one download; name exactly one source that is an address or a known name.');
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
  });
  source.phase('');
  if (note !== undefined) source.notes.push(note);
  return file;
}
