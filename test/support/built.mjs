/**
 * Builds before the first test, and before tests run again: programs and threads run from `dist`, which must be what stands in
 * `src` now. Nothing is built while both are as the last build left them, so that runs in the same folder do not disturb each other.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

/** All that a build reads, and what it writes. */
const FOLDERS = ['src', 'packages', 'client', 'data', 'docs', 'dist'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.door.json'];
const RECORD = 'tmp/built';

/** @param {import('vitest/node').TestProject} project */
export async function setup(project) {
  await build();
  project.onTestsRerun(buildWhenPossible);
}

/** A file that is edited may not compile for a while, and Vitest would end at an error. */
async function buildWhenPossible() {
  while (
    !(await build()
      .then(() => true)
      .catch(() => false))
  )
    await pause(2000);
}

async function build() {
  await mkdir('tmp', { recursive: true });
  const release = await lock(RECORD, {
    realpath: false,
    retries: { forever: true, minTimeout: 100, factor: 1 },
  });
  try {
    const recorded = await readFile(RECORD, 'utf8').catch(() => '');
    if (recorded === (await digest())) return;
    // With Vitest's NODE_ENV, the page would be another one.
    const { NODE_ENV: _, ...env } = process.env;
    const child = spawn('npm run --silent build && npm run --silent --if-present build:mcp', {
      env,
      shell: true,
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error('The tests need a build, and npm run build has failed.');
    await writeFile(RECORD, await digest());
  } finally {
    await release();
  }
}

/** Of names and contents. Times would not do: a file that is put back has its old one. */
async function digest() {
  const inside = FOLDERS.map(async (folder) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name)),
  );
  const hash = createHash('sha256');
  for (const path of [...(await Promise.all(inside)).flat(), ...FILES].sort())
    hash
      .update(`${path}\0`)
      .update(await readFile(path))
      .update('\0');
  return hash.digest('hex');
}
