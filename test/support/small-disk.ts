import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Only root may mount one, and in most containers not even root. */
export const canMount =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

/** Runs with a file system in memory, of that many KiB, mounted at the path. */
export async function withSmallDisk(
  path: string,
  kibibytes: number,
  run: () => Promise<void>,
): Promise<void> {
  mkdirSync(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', path]);
  try {
    await run();
  } finally {
    execFileSync('umount', [path]);
  }
}
