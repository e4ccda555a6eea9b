import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Only root may mount one. */
export const canMount = process.getuid?.() === 0;

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
