/** Packs a release, installs it into an empty folder, and runs its command. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { npm } from '../../scripts/npm.ts';
import { serve } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';

const LEFT_OUT = ['node_modules', 'dist', '.git', '.dev', 'build', 'tmp'];

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
  const folder = temporaryFolder();
  const installed = (path: string) => folder.path(`home/node_modules/${path}`);
  let bill: Bill;
  let tarball: string;
  /** The output of the command in a clone, before and after its build. */
  const inClone: string[] = [];

  const npmIn = (cwd: string, ...args: string[]) =>
    promisify(execFile)(...npm([...args, '--no-audit', '--no-fund', '--prefer-offline']), { cwd });

  beforeAll(async () => {
    // In a copy, because packing rebuilds what other tests use.
    const copy = folder.path('copy');
    await mkdir(copy);
    for (const name of await readdir('.')) {
      if (!LEFT_OUT.includes(name)) await cp(name, `${copy}/${name}`, { recursive: true });
    }
    // Makes links if the file system allows it, in a tenth of the time.
    await promisify(execFile)('sh', ['-c', `cp -al node_modules ${copy} || cp -a node_modules ${copy}`]);
    const command = () =>
      promisify(execFile)('npx', ['food-lookup', '--version'], {
        cwd: copy,
        env: { ...process.env, npm_config_cache: folder.path('cache') },
      }).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    inClone.push(await command());
    // The test of the Dockerfile builds, too, in the same way.
    const project = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    project.scripts.build = `cp -a ${JSON.stringify(resolve('dist'))} .`;
    await writeFile(`${copy}/package.json`, JSON.stringify(project));
    await npmIn(copy, 'pack', '--pack-destination', folder.path(''));
    inClone.push(await command());
    tarball = (await readdir(folder.path(''))).find((name) => name.endsWith('.tgz')) ?? '';

    await mkdir(folder.path('home'));
    await writeFile(folder.path('home/package.json'), '{"private":true}');
    // Offline: the release contains the tested packages.
    await npmIn(folder.path('home'), 'install', '--offline', folder.path(tarball));
    bill = JSON.parse(await readFile(installed('food-lookup/sbom.cdx.json'), 'utf8')) as Bill;
  }, 120_000);

  test('has a command that says if Node.js is too old', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`;
    const env = {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`,
    };
    const ended = promisify(execFile)(installed('.bin/food-lookup'), { env });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: `food-lookup: it needs Node.js 20.19.0 or newer, and this is 20.9.0 (${process.execPath}).\n`,
    });
  });

  test('has a command that works in a clone, before and after the build, even if npx remembers the first', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(inClone[0]).toContain('food-lookup: it is not built yet. Run "npm run build"');
    expect(inClone[1]).toBe(`${version}\n`);
  });

  test('is one small file, named in the documentation', async () => {
    expect((await stat(folder.path(tarball))).size).toBeLessThan(MOST_BYTES);
    expect(await readFile('docs/deployment.md', 'utf8')).toContain(
      `/opt/food-lookup/$version ${tarball.replace(/\d.*\d/, '$version')}`,
    );
  });

  test('serves searches, the page and the documentation', async () => {
    const { url, stop } = await serve([], {}, installed('.bin/food-lookup'));
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
    const modules = installed('food-lookup/node_modules');
    const files = (await readdir(modules, { recursive: true })).map(String);
    expect(files.filter((name) => /\.(map|[cm]?ts)$|(^|\/)tests?\//.test(name))).toEqual([]);
    const folders = files.filter((name) => /(^|node_modules\/)(@[^/]+\/)?[^/@.]+\/package\.json$/.test(name));
    expect(folders.length).toBeGreaterThan(50);
    for (const name of folders.map((path) => path.replace('package.json', ''))) {
      const notices = files.filter(
        (path) => path.startsWith(name) && /licen[cs]e|copying|readme/i.test(path),
      );
      const texts = await Promise.all(notices.map((path) => readFile(`${modules}/${path}`, 'utf8')));
      expect(texts.join(''), name).toMatch(/permission|redistribution|licen[cs]e/i);
    }
  });

  test('leaves the packages of the project unchanged when it is packed', async () => {
    const names = await readdir(folder.path('copy/node_modules'));
    expect(names).not.toContain('.stripped');
    for (const path of ['fastify/fastify.d.ts', 'fastify/test', 'lru-cache/dist/esm/index.js.map'])
      await expect(stat(folder.path(`copy/node_modules/${path}`)), path).resolves.toBeDefined();
  });

  test('lists every package that it installs, with its installed version and licence', async () => {
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.metadata.component.purl).toMatch(/^pkg:npm\/food-lookup@/);
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const packages = await installedPackages(installed('food-lookup/node_modules'));
    expect(packages.length).toBeGreaterThan(50);
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

/** Names and versions of all packages in a folder. */
async function installedPackages(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).map(String);
  const ofPackages = files.filter((file) => /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(file));
  return Promise.all(
    ofPackages.map(async (file) => {
      const { name, version } = JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as Record<
        string,
        string
      >;
      return `${name}@${version}`;
    }),
  );
}
