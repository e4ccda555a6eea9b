/**
 * Looks up the newest release of a FoodData Central data set on the page that lists them. Without network, or if the page has
 * changed, it is the release known to this version.
 */
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { UserError } from '../../errors.ts';
import { USDA_PAGE } from '../report/labels.ts';
import { type DownloadOptions, download } from './download.ts';
import type { Release } from './releases.ts';

/** One attempt, so that an import without network begins soon. */
const PATIENCE = { stall: 5000, firstPause: 0, longestPause: 0, attempts: 1 };

/** Bytes of the page that are read. */
const MAX_PAGE = 4 * 1024 * 1024;

const DATE = /20\d\d-[01]\d(?:-[0-3]\d)?(?=\.zip$)/;

/** The newest release on the page, which the cache folder keeps, if it is newer than the known one. */
export async function newestRelease(
  known: Release,
  { folder, signal }: Pick<DownloadOptions, 'folder' | 'signal'>,
  page = USDA_PAGE,
): Promise<Release> {
  try {
    const found = await download(page, { folder, fixed: false, isPage: true, patience: PATIENCE, signal });
    const listed = await text(createReadStream(found.file, { end: MAX_PAGE - 1 }));
    const url = newestAddress(listed, known.url, page);
    return url === undefined ? known : { url, fixed: true };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UserError) return known;
    throw error;
  }
}

/** The address of the newest file on the page that differs from the known one by a later date. */
function newestAddress(listed: string, knownUrl: string, page: string): string | undefined {
  const [knownDate = ''] = DATE.exec(knownUrl) ?? [];
  const [before = ''] = knownUrl.slice(knownUrl.lastIndexOf('/') + 1).split(DATE);
  const links = listed.matchAll(
    new RegExp(`[^\\s"'<>()]*${before}(${DATE.source.replace('$', '\\b')})\\.zip\\b`, 'g'),
  );
  const newest = [...links].toSorted(([, a = ''], [, b = '']) => (a < b ? 1 : -1))[0];
  const [link = '', date = ''] = newest ?? [];
  if (date <= knownDate || !URL.canParse(link, page)) return undefined;
  const url = new URL(link, page);
  // A page may link anywhere; data must come from the host of the page.
  return url.origin === new URL(page).origin ? url.href : undefined;
}
