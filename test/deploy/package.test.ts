/** A release: packed as it is published, unpacked into an empty folder, and run by its command. */
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
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

describe('a release', () => {
  const folder = temporaryFolder();
  const installed = (path: string) => folder.path(`home/node_modules/${path}`);
  let bill: Bill;

  const npm = (cwd: string, ...args: string[]) =>
    promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd });

  beforeAll(async () => {
    // In a copy, since packing builds, and other tests use what is built.
    const copy = folder.path('copy');
    await mkdir(copy);
    for (const name of await readdir('.')) {
      if (!LEFT_OUT.includes(name)) await cp(name, `${copy}/${name}`, { recursive: true });
    }
    // Links where the file system allows, which takes a tenth of the time.
    await promisify(execFile)('sh', ['-c', `cp -al node_modules ${copy} || cp -a node_modules ${copy}`]);
    await npm(copy, 'pack', '--pack-destination', folder.path(''));
    const tarball = (await readdir(folder.path(''))).find((name) => name.endsWith('.tgz')) ?? '';

    // As `npm install` does, which writes these thousands of files fifty times as slowly. Nothing is fetched: what was tested is
    // what is installed.
    await mkdir(installed('food-lookup'), { recursive: true });
    const unpack = ['-xzf', folder.path(tarball), '-C', installed('food-lookup'), '--strip-components=1'];
    await promisify(execFile)('tar', unpack);
    const home = { private: true, dependencies: { 'food-lookup': '*' } };
    await writeFile(folder.path('home/package.json'), JSON.stringify(home));
    await npm(folder.path('home'), 'rebuild', '--offline');
    // Fails where a package is missing or of another version than it must be.
    await npm(folder.path('home'), 'ls', '--all');
    bill = JSON.parse(await readFile(installed('food-lookup/sbom.cdx.json'), 'utf8')) as Bill;
  }, 120_000);

  const foodLookup = (...args: string[]) => promisify(execFile)(installed('.bin/food-lookup'), args);

  test('has the command, which searches', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect((await foodLookup('--version')).stdout.trim()).toBe(version);
    expect((await foodLookup('search', 'quail')).stdout).toContain('Quail egg, whole, raw');
  });

  test('serves searches, the page and the documentation', async () => {
    const child = spawn(installed('.bin/food-lookup'), ['serve', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes('origins')) break;
    }
    const [, port] = /:(\d+)\//.exec(output) ?? [];
    for (const path of ['/api/food?q=egg', '/', '/licences.txt', '/docs', '/openapi.json']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200);
    }
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('holds what is needed to deploy it, and no tests', async () => {
    const files = (await readdir(installed('food-lookup'), { recursive: true })).map(String);
    expect(files).toEqual(
      expect.arrayContaining([
        ...['README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md', 'deploy/nginx.conf', 'docs/deployment.md'],
        'deploy/systemd/food-lookup@.service',
      ]),
    );
    expect(files.filter((name) => /^(test|src|client|bench|scripts|\.ci)\b/.test(name))).toEqual([]);
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
    for (const name of ['react', 'react-dom', '@tanstack/react-query', '@fontsource-variable/inter']) {
      expect(names).toContain(name);
    }
    for (const name of ['vite', 'typescript', 'vitest', '@biomejs/biome']) expect(names).not.toContain(name);
  });
});

/** Name and version of every package below a folder. */
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
