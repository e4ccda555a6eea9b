/**
 * `npm run test:all` runs all tests on every Node.js in the workflow, with binaries from the package registry in `tmp/nodes`.
 * Numbers choose versions; other arguments go to Vitest: `npm run test:all -- 26 test/http`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { npm } from './npm.ts';

const VITEST = resolve('node_modules/vitest/vitest.mjs');
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Installs that Node.js if necessary; returns the folder of the program. */
async function nodeOf(version: string): Promise<string> {
  const folder = resolve('tmp/nodes', version);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    await mkdir(fresh, { recursive: true });
    await promisify(execFile)(...npm(['install', '--prefix', fresh, '--no-save', `${PACKAGE}@${version}`]));
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  }
  return resolve(folder, 'node_modules', PACKAGE, 'bin');
}

const workflow = parse(await readFile('.github/workflows/ci.yml', 'utf8'));
const VERSIONS: readonly string[] = workflow.jobs.linux.strategy.matrix.node;
const args = process.argv.slice(3);
const chosen = args.filter((each) => VERSIONS.includes(each));
for (const version of chosen.length > 0 ? chosen : VERSIONS) {
  const bin = await nodeOf(version);
  // With these variables of npm, tests would run npm's own Node.js.
  const left = { npm_execpath: undefined, npm_node_execpath: undefined, NODE: undefined };
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...left };
  console.log(`Node.js ${version}`);
  const rest = args.filter((each) => !VERSIONS.includes(each));
  const tests = spawn(resolve(bin, 'node'), [VITEST, 'run', ...rest], { env, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
