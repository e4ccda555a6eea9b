/** A folder for the packed release, which the first test file that needs it packs for all. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function setup({ provide }) {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-release-'));
  provide('releaseFolder', folder);
  return () => rm(folder, { recursive: true });
}
