/** What is in a packed release, and that its command runs. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { packedRelease, type Release } from '../support/release.ts';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses?: readonly object[];
  }[];
}

const MOST_BYTES = 2_700_000;

describe('a release', () => {
  let release: Release;
  let bill: Bill;
  const installed = (path: string) => `${release.home}/node_modules/${path}`;
  const modules = (path = '') => installed(`food-lookup/node_modules/${path}`);
  /** All files of the dependencies, and the folder of each dependency. */
  let files: string[];
  let folders: string[];

  beforeAll(async () => {
    release = await packedRelease();
    bill = JSON.parse(await readFile(installed('food-lookup/sbom.cdx.json'), 'utf8')) as Bill;
    files = (await readdir(modules(), { recursive: true })).map(String);
    folders = files
      .filter((name) => /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(name))
      .map((path) => path.replace('package.json', ''));
  });

  test('has a command that says if Node.js is too old', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`;
    const env = {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`,
    };
    const ended = promisify(execFile)(release.command, { env });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: `food-lookup: it needs Node.js 20.19.0 or newer, and this is 20.9.0 (${process.execPath}).\n`,
    });
  });

  test('is one small file, named in the documentation', async () => {
    expect((await stat(release.serviceTarball)).size).toBeLessThan(MOST_BYTES);
    expect(await readFile('docs/deployment.md', 'utf8')).toContain(
      `/opt/food-lookup/$version ${basename(release.serviceTarball).replace(/\d.*\d/, '$version')}`,
    );
  });

  test('serves searches, the page and the documentation', async () => {
    const { url, stop } = await serve([], {}, release.command);
    for (const path of ['/', '/licences.txt', '/docs', '/openapi.json'])
      expect((await fetch(url + path)).status, path).toBe(200);
    // The compressed copies of the page are part of it.
    for (const coding of ['br', 'gzip']) {
      const { headers } = await fetch(url, { headers: { 'accept-encoding': coding } });
      expect(headers.get('content-encoding')).toBe(coding);
    }
    expect(await (await fetch(`${url}/api/food?q=quail`)).text()).toContain('Quail egg, whole, raw');
    expect(await stop()).toBe(0);
  });

  test('contains what is needed to deploy it, and no tests', async () => {
    const files = (await readdir(installed('food-lookup'), { recursive: true })).map(String);
    expect(files).toEqual(
      expect.arrayContaining([
        ...['README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md', 'deploy/nginx.conf', 'docs/deployment.md'],
        'deploy/systemd/food-lookup@.service',
      ]),
    );
    expect(files.filter((name) => /^(test|src|client|load|scripts|\.ci)\b/.test(name))).toEqual([]);
  });

  test('contains everything that its README links to, other than pictures', async () => {
    const text = await readFile(installed('food-lookup/README.md'), 'utf8');
    const targets = Array.from(
      text.matchAll(/(?<!!\[[^\]]*)\]\((?!https?:)([^)#]+)/g),
      ([, target = '']) => target,
    );
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets)
      await expect(stat(installed(`food-lookup/${target}`)), target).resolves.toBeDefined();
  });

  test('contains only the files of its dependencies that programs load, and their licences', async () => {
    expect(files.filter((name) => /\.(map|[cm]?ts)$|(^|\/)tests?\//.test(name))).toEqual([]);
    expect(folders.length).toBeGreaterThan(50);
    for (const name of folders) {
      const notices = files.filter(
        (path) => path.startsWith(name) && /licen[cs]e|copying|readme/i.test(path),
      );
      const texts = await Promise.all(notices.map((path) => readFile(modules(path), 'utf8')));
      expect(texts.join(''), name).toMatch(/permission|redistribution|licen[cs]e/i);
    }
  });

  test('leaves the packages of the project unchanged when it is packed', async () => {
    const names = await readdir(`${release.copy}/node_modules`);
    expect(names).not.toContain('.stripped');
    for (const path of ['fastify/fastify.d.ts', 'fastify/test', 'lru-cache/dist/esm/index.js.map'])
      await expect(stat(`${release.copy}/node_modules/${path}`), path).resolves.toBeDefined();
  });

  test('lists every package that it installs, with its installed version and licence', async () => {
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.metadata.component.purl).toMatch(/^pkg:npm\/food-lookup@/);
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const packages = await Promise.all(
      folders.map(async (folder) => {
        const { name, version } = JSON.parse(await readFile(modules(`${folder}package.json`), 'utf8'));
        return `${name}@${version}`;
      }),
    );
    expect(packages.filter((each) => !listed.has(each))).toEqual([]);
    expect(
      bill.components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name),
    ).toEqual([]);
  });

  test('lists packages built into the page, but not those used only to build it', () => {
    const names = bill.components.map(({ name }) => name);
    for (const name of ['preact', 'nanostores', 'big.js', '@fontsource-variable/inter']) {
      expect(names).toContain(name);
    }
    for (const name of ['vite', 'typescript', 'vitest', '@biomejs/biome', 'react'])
      expect(names).not.toContain(name);
  });
});

describe('a clone', () => {
  const clone = temporaryFolder();

  test('has a command that works before and after the build, even if npx remembers the first', async () => {
    for (const name of ['package.json', 'bin', 'exec.cmd'])
      await cp(name, clone.path(name), { recursive: true });
    const npx = () =>
      promisify(execFile)('npx', ['food-lookup', '--version'], {
        cwd: clone.path(''),
        env: { ...process.env, npm_config_cache: clone.path('cache') },
      });
    await expect(npx()).rejects.toThrow('food-lookup: it is not built yet. Run "npm run build"');
    for (const name of ['dist', 'node_modules']) await symlink(resolve(name), clone.path(name));
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect((await npx()).stdout).toBe(`${version}\n`);
  });
});
