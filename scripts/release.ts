/**
 * `npm run release` makes the files of a release in `release/` from the current commit alone: it clones the commit, runs
 * `.ci/run release` in the clone, with all tests on every supported Node.js, and packs the clone. `--dry-run` only lists what
 * prevents a release.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { npm } from './npm.ts';
import { NAMING, versionOf } from './version.ts';

const OUT = 'release';

export interface Plan {
  readonly version: string;
  readonly commit: string;
  /** What prevents the release, in sentences. */
  readonly obstacles: readonly string[];
}

/** @param folder the clone to release from */
export async function planRelease(folder: string): Promise<Plan> {
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim();
  const [version, ofLock, changes, status, commit, tag] = await Promise.all([
    versionOf(join(folder, 'package.json')),
    versionOf(join(folder, 'package-lock.json')),
    read('CHANGELOG.md'),
    git('status', '--porcelain'),
    git('rev-parse', 'HEAD'),
    git('tag', '--list', '--points-at', 'HEAD'),
  ]);
  const naming = await Promise.all(NAMING.map(async (path) => ({ path, text: await read(path) })));
  const others = naming.filter(({ text }) => !text.includes(version)).map(({ path }) => path);
  const released = (await git('tag', '--list', `v${version}`)) !== '';
  const sections = Array.from(changes.matchAll(/^## \[?([^\]\s]+)/gm), ([, name]) => name);
  const obstacles = [
    [status !== '', 'There are changes that are not committed. Commit them, or put them aside.'],
    [
      ofLock !== version,
      `package-lock.json has version ${ofLock}, package.json ${version}. Run: npm install`,
    ],
    [
      others.length > 0,
      `These files do not name version ${version}: ${others.join(', ')}. Run: npm run version`,
    ],
    [!sections.includes(version), `CHANGELOG.md has no section ${version}. Add one: ## ${version}`],
    [
      sections.includes('Unreleased'),
      'CHANGELOG.md has a section Unreleased. Move its lines to the version.',
    ],
    [released && tag !== `v${version}`, `v${version} is another commit. Choose a new version: npm version`],
  ] as const;
  return { version, commit, obstacles: obstacles.filter(([is]) => is).map(([, text]) => text) };
}

/** Runs a program with its output on the terminal. @throws if it fails */
async function run(cwd: string, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} failed. There is no release.`);
}

const SUMS = 'SHA256SUMS';

/**
 * Packs the service, the typed client and the MCP server, and puts beside them the bill of materials, the licences of what is built
 * into the page, and the checksums of all files there.
 * @param clone the project after `npm ci` @param out an existing folder, absolute
 */
export async function packRelease(clone: string, out: string, version: string): Promise<void> {
  for (const folder of [clone, join(clone, 'packages/browser'), join(clone, 'packages/mcp')])
    await run(folder, ...npm(['pack', '--silent', '--pack-destination', out]));
  // `npm pack` makes both.
  await cp(join(clone, 'sbom.cdx.json'), join(out, `food-lookup-${version}.cdx.json`));
  await cp(join(clone, 'dist/client/licences.txt'), join(out, `food-lookup-${version}-licences.txt`));
  await rm(join(clone, 'sbom.cdx.json'));
  const sums: string[] = [];
  for (const { name } of (await readdir(out, { withFileTypes: true })).filter((each) => each.isFile()))
    sums.push(
      `${createHash('sha256')
        .update(await readFile(join(out, name)))
        .digest('hex')}  ${name}\n`,
    );
  await writeFile(join(out, SUMS), sums.toSorted().join(''));
}

async function release({ version, commit }: Plan): Promise<void> {
  // Beside the project, because some tests look for data next to it.
  const clone = await mkdtemp(join(dirname(resolve('.')), 'food-lookup-release-'));
  // Some tests run the command as another user.
  await chmod(clone, 0o755);
  const out = resolve(OUT);
  try {
    await run('.', 'git', ['clone', '--quiet', '.', clone]);
    await run(clone, 'git', ['checkout', '--quiet', commit]);
    await run(clone, join(clone, '.ci/run'), ['release']);
    await rm(out, { recursive: true, force: true });
    await mkdir(out);
    // Without what Docker leaves out.
    const ignored = (await readFile(join(clone, '.dockerignore'), 'utf8')).trim().split('\n');
    const paths = ['.', ...ignored.map((each) => `:(exclude)${each}`)];
    const context = ['--output', join(out, `food-lookup-${version}-image.tar.gz`), commit, '--', ...paths];
    await run(clone, 'git', ['archive', ...context]);
    await packRelease(clone, out, version);
  } finally {
    await rm(clone, { recursive: true });
  }
  console.log(await readFile(join(out, SUMS), 'utf8'));
  console.log(`To tag it: git tag -a v${version} -m ${version} ${commit}`);
}

/** Only if the file was named on the command line: tests import it. */
if (process.argv[2] === 'scripts/release.ts') {
  const plan = await planRelease('.');
  for (const obstacle of plan.obstacles) console.error(obstacle);
  if (plan.obstacles.length > 0) process.exitCode = 1;
  else if (process.argv.includes('--dry-run'))
    console.log(`${plan.version} can be released from ${plan.commit}.`);
  else await release(plan);
}
