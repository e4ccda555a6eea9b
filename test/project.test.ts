/** Checks the workflow, the issue forms, the dependencies and the preparation of a release. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { planRelease } from '../scripts/release.ts';
import { NAMING, writeVersion } from '../scripts/version.ts';
import { temporaryFolder } from './support/files.ts';
import { execute } from './support/programs.ts';
import { describeWithPrograms } from './support/requirements.ts';

const read = (path: string): Promise<string> => readFile(path, 'utf8');
const manifest = JSON.parse(await read('package.json')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};

describe('the workflow', async () => {
  const { jobs } = parse(await read('.github/workflows/ci.yml'));
  const commandsOf = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run ?? []);

  test('runs the tests on every supported Node.js, from the oldest', async () => {
    const { node } = jobs.linux.strategy.matrix;
    expect(node).toEqual(['20.19', '22', '24', '26']);
    expect(manifest.engines.node).toBe(`>=${node[0]}.0`);
    expect((await read('.nvmrc')).trim()).toBe(node[0]);
    expect(commandsOf(jobs.linux)).toEqual(['.ci/run']);
    expect((await stat('.ci/run')).mode & 0o111).not.toBe(0);
  });

  test('runs the tests that need no other program on the other systems', () => {
    expect(jobs.portable.strategy.matrix.system).toEqual(['windows-latest', 'macos-latest']);
    expect(commandsOf(jobs.portable).at(-1)).toBe('npx vitest run --project portable');
  });
});

test('a release demands all tests, of which none is skipped, on every supported Node.js', async () => {
  expect(await read('scripts/release.ts')).toContain("join(clone, '.ci/run'), ['release']");
  const demands = /^export FOOD_LOOKUP_TESTS=all\nif .*= release \]; then npm run test:all;/m;
  expect(await read('.ci/run')).toMatch(demands);
  expect(manifest.scripts['test:all']).toMatch(/ scripts\/test-all\.ts$/);
  expect(await read('scripts/test-all.ts')).toContain('workflow.jobs.linux.strategy.matrix.node');
});

test('every dependency is imported', async () => {
  const files = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts'));
  const source = (await Promise.all(files.map((name) => read(`src/${name}`)))).join('');
  for (const name of Object.keys(manifest.dependencies))
    expect(new RegExp(`(from |import\\()'${name}[/']`).test(source), name).toBe(true);
});

/** These name versions of the past, and versions of an example. */
const OF_OTHER_VERSIONS = ['CHANGELOG.md', 'docs/deployment.md', 'docs/design.md', 'docs/operations.md'];

/** `npm pack` leaves it. */
const BILL_OF_MATERIALS = 'sbom.cdx.json';

test('npm version changes every file that names the version', async () => {
  const folders = ['.', 'docs', 'deploy', 'examples', 'packages/browser', 'packages/mcp'];
  const naming: string[] = [];
  for (const folder of folders)
    for (const each of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, each.name);
      if (each.isFile() && (await read(path)).includes(manifest.version)) naming.push(path);
    }
  const others = ['package.json', 'package-lock.json', BILL_OF_MATERIALS, ...OF_OTHER_VERSIONS];
  expect(naming.filter((path) => !others.includes(path)).toSorted()).toEqual(NAMING.toSorted());
  expect(manifest.scripts.version).toContain('scripts/version.ts');
  // npm changes only its own package there.
  const { packages } = JSON.parse(await read('package-lock.json'));
  expect(packages['packages/mcp'].version).toBe(manifest.version);
});

describeWithPrograms('git')('a release', () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) => execute('git', ['-C', folder.path(''), ...args]);
  const write = (path: string, content: unknown) =>
    writeFile(folder.path(path), typeof content === 'string' ? content : JSON.stringify(content));
  const commit = async () => {
    await git('add', '--all');
    await git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'A');
  };

  test('is built without the NODE_ENV that Vite sets for scripts', async () => {
    await write('script.ts', 'console.log(process.env.NODE_ENV);');
    const { NODE_ENV: _, ...env } = process.env;
    const args = ['scripts/run.mjs', relative('.', folder.path('script.ts'))];
    for (const given of [{}, { NODE_ENV: 'production' }]) {
      const { stdout } = await execute(process.execPath, args, { env: { ...env, ...given } });
      expect(stdout).toBe(`${given.NODE_ENV}\n`);
    }
  });

  test('is made from committed files, with the same version everywhere', async () => {
    for (const path of NAMING) await mkdir(dirname(folder.path(path)), { recursive: true });
    await git('init', '--quiet');
    await write('package.json', { version: '2.0.0' });
    await write('package-lock.json', { version: '1.9.0' });
    for (const path of NAMING) await write(path, { version: '1.0.0' });
    await write('Dockerfile', 'LABEL version=2.0.0');
    await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
    await commit();
    await write('new.txt', '');
    expect((await planRelease(folder.path(''))).obstacles).toEqual([
      'There are changes that are not committed. Commit them, or put them aside.',
      'package-lock.json has version 1.9.0, package.json 2.0.0. Run: npm install',
      `These files do not name version 2.0.0: ${NAMING.filter((path) => path !== 'Dockerfile').join(', ')}. Run: npm run version`,
      'CHANGELOG.md has no section 2.0.0. Add one: ## 2.0.0',
      'CHANGELOG.md has a section Unreleased. Move its lines to the version.',
    ]);
    await write('package-lock.json', { version: '2.0.0' });
    await writeVersion(folder.path(''));
    await write('CHANGELOG.md', '# Changelog\n\n## 2.0.0 - 2026-11-22\n');
    await commit();
    expect(await planRelease(folder.path(''))).toMatchObject({ version: '2.0.0', obstacles: [] });
    await git('tag', 'v2.0.0');
    expect((await planRelease(folder.path(''))).obstacles).toEqual([]);
    await write('new.txt', 'more');
    await commit();
    expect((await planRelease(folder.path(''))).obstacles).toEqual([
      'v2.0.0 is another commit. Choose a new version: npm version',
    ]);
  });
});
