/** What is in a packed release, that its command runs, and the first hour of those who use it. */
import { cp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { preloading, type Running, runAlone, serve } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { execute } from '../support/programs.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { packedRelease, type Release } from '../support/release.ts';
import { describeWithProgram } from '../support/requirements.ts';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses?: readonly object[];
  }[];
}

/** The index of the built-in foods in nine languages takes 2.6 MB of it, SQLite 0.5 MB, and the reader of codes 0.3 MB. */
const MOST_BYTES = 6_500_000;

const folder = temporaryFolder();
let release: Release;
beforeAll(async () => {
  release = await packedRelease(folder.path(''));
});

/** The service of the release, for this test. */
async function served(environment: Record<string, string>, port = 0): Promise<Running> {
  const service = await serve(['--port', String(port)], environment, release.command);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

describe('a release', () => {
  let bill: Bill;
  const installed = (path: string) => `${release.home}/node_modules/${path}`;
  const modules = (path = '') => installed(`food-lookup/node_modules/${path}`);
  /** All files of the dependencies, and the folder of each dependency. */
  let files: string[];
  let folders: string[];

  beforeAll(async () => {
    bill = JSON.parse(await readFile(installed('food-lookup/sbom.cdx.json'), 'utf8')) as Bill;
    files = (await readdir(modules(), { recursive: true })).map(String);
    folders = files
      .filter((name) => /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(name))
      .map((path) => path.replace('package.json', ''));
  });

  test('has a command that says if Node.js is too old', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`;
    const ended = execute(release.command, { env: { ...process.env, ...preloading(older) } });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: `food-lookup: it needs Node.js 20.19.0 or newer, and this is 20.9.0 (${process.execPath}).\n`,
    });
  });

  test('has a bill of materials, licences and checksums beside three packages', async () => {
    const names = (await readdir(release.packed)).map((name) => name.replace(/\d+\.\d+\.\d+/, 'N'));
    expect(names.toSorted()).toEqual([
      'SHA256SUMS',
      'food-lookup-N-licences.txt',
      'food-lookup-N.cdx.json',
      'food-lookup-N.tgz',
      'food-lookup-browser-N.tgz',
      'food-lookup-mcp-N.tgz',
    ]);
    const { stdout } = await execute('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release.packed });
    expect(stdout.match(/: OK$/gm)).toHaveLength(names.length - 1);
  });

  test('is one small file, named in the documentation', async () => {
    expect((await stat(release.serviceTarball)).size).toBeLessThan(MOST_BYTES);
    expect(await readFile('docs/deployment.md', 'utf8')).toContain(
      `/opt/food-lookup/$version ${basename(release.serviceTarball).replace(/\d.*\d/, '$version')}`,
    );
  });

  test('serves searches, the page and the documentation', async () => {
    const { url, stop } = await served({});
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
    const texts = ['README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md', 'docs/deployment.md'];
    const needed = [...texts, 'deploy/nginx.conf', 'deploy/systemd/food-lookup@.service'];
    expect(files).toEqual(expect.arrayContaining(needed));
    expect(files.filter((name) => /^(test|src|client|load|scripts|\.ci)\b/.test(name))).toEqual([]);
  });

  test('contains everything that its README links to, other than pictures', async () => {
    const text = await readFile(installed('food-lookup/README.md'), 'utf8');
    const links = text.matchAll(/(?<!!\[[^\]]*)\]\((?!https?:)([^)#]+)/g);
    const targets = Array.from(links, ([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets)
      await expect(stat(installed(`food-lookup/${target}`)), target).resolves.toBeDefined();
  });

  test('contains only the files of its dependencies that programs load, and their licences', async () => {
    expect(files.filter((name) => /\.(map|[cm]?ts)$|(^|\/)tests?\//.test(name))).toEqual([]);
    expect(folders.length).toBeGreaterThan(50);
    for (const name of folders) {
      const own = files.filter((path) => path.startsWith(name));
      const notices = own.filter((path) => /licen[cs]e|copying|readme/i.test(path));
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
    expect(bill.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  test('lists packages built into the page, but not those used only to build it', () => {
    const names = bill.components.map(({ name }) => name);
    const builtIn = ['preact', 'nanostores', 'zxing-wasm', '@fontsource-variable/inter'];
    expect(names).toEqual(expect.arrayContaining(builtIn));
    for (const name of ['vite', 'typescript', 'vitest', '@biomejs/biome', 'react'])
      expect(names).not.toContain(name);
  });
});

const PROGRAM = `
import { type FoodEntry, isSearchError, MAX_FOODS, portions, searchFoods } from 'food-lookup-browser';

const [, , service = '', gone = ''] = process.argv;
const foods: readonly FoodEntry[] = await searchFoods(service, 'quail egg');
// @ts-expect-error The type of a figure is known.
const kcal: string | undefined = foods[0]?.kcal;
const [piece] = await portions(service, foods[0]?.description ?? '');
const kindOf = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => (isSearchError(error) ? error.kind : String(error)));
const controller = new AbortController();
const cancelled = searchFoods(service, 'egg', { signal: controller.signal });
controller.abort();
const kinds = await Promise.all([
  kindOf(cancelled),
  kindOf(searchFoods(service, '')),
  kindOf(searchFoods(gone, 'egg')),
  kindOf(searchFoods('localhost:3001', 'egg')),
]);
console.log(JSON.stringify({ first: foods[0]?.description, kcal, grams: piece?.grams, kinds, MAX_FOODS }));
`;

describe('a front-end developer', () => {
  test('reads in the log what to set, and pastes the command that checks it', async () => {
    const refused = await runAlone(['serve'], { ALLOWED_ORIGIN: '5173' }, release.command);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('probably "http://localhost:5173" is meant');

    const wrong = await served({ ALLOWED_ORIGIN: 'http://localhost:8000', LOG_LEVEL: 'warn' });
    const ask = ({ url }: Running) =>
      fetch(`${url}/api/food?q=egg`, { headers: { origin: 'http://localhost:5173' } });
    expect((await ask(wrong)).headers.get('access-control-allow-origin')).toBeNull();
    await expect.poll(() => wrong.log()).toContain('check-cors');
    const { msg } = JSON.parse(wrong.log()) as { msg: string };
    const [, setting = '', command = ''] =
      /start the service with ALLOWED_ORIGIN=(\S+?)[. ].*?food-lookup (check-cors .*)/.exec(msg) ?? [];
    expect(setting).toBe('http://localhost:5173');
    const pasted = (service: Running) =>
      execute('sh', ['-c', `${release.command} ${command.replace(/:\d+(?=\/api)/, `:${service.port}`)}`]);
    await expect(pasted(wrong)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('\nNo: ') });

    const right = await served({ ALLOWED_ORIGIN: setting });
    expect((await ask(right)).headers.get('access-control-allow-origin')).toBe(setting);
    expect((await pasted(right)).stdout).toContain('\nYes: ');
  });

  test('installs one small file with types, which every tool for packages accepts', async () => {
    // Most of it is for pages without a service: the engine, its table of Chinese characters, and the reading of amounts.
    expect((await stat(release.clientTarball)).size).toBeLessThan(70_000);
    const installed = `${release.home}/node_modules/food-lookup-browser`;
    const [own, service] = await Promise.all(
      [`${installed}/package.json`, 'package.json'].map(
        async (path) => JSON.parse(await readFile(path, 'utf8')) as Record<string, string>,
      ),
    );
    expect(own).toMatchObject({ version: service?.version, license: service?.license });
    expect(Object.keys(own ?? {}).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(await readFile(`${installed}/LICENSE`, 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
    // Built into open-index.js.
    const builtIn = await readFile('node_modules/chinese-conv/LICENSE', 'utf8');
    expect(await readFile(`${installed}/LICENSE-chinese-conv`, 'utf8')).toBe(builtIn);
    // The file can be copied without the package.
    expect(await readFile(`${installed}/search-foods.js`, 'utf8')).not.toMatch(/\bimport\b|\brequire\(/);
    // By resolvers that do not read `exports`, too.
    const require = createRequire(`${release.home}/main.js`);
    expect(require.resolve('./node_modules/food-lookup-browser')).toMatch(/search-foods\.js$/);
    for (const tarball of [release.serviceTarball, release.clientTarball, release.mcpTarball])
      await execute(process.execPath, ['node_modules/publint/src/cli.js', 'run', tarball, '--strict']);
    // Node.js 20.19 and newer load an ES module by `require`.
    const ignored = ['--ignore-rules', 'cjs-resolves-to-esm', '--'];
    const checker = 'node_modules/@arethetypeswrong/cli/dist/index.js';
    await execute(process.execPath, [checker, ...ignored, release.clientTarball]);
  });

  test('has an MCP server with its licence and the built-in foods, which answers', async () => {
    await execute('tar', ['-xf', release.mcpTarball, '-C', folder.path('')]);
    const installed = folder.path('package');
    expect(await readFile(`${installed}/LICENSE`, 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
    // Its dependencies are not in it.
    await symlink(resolve('node_modules'), `${installed}/node_modules`);
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    const { bin, version } = JSON.parse(await readFile(`${installed}/package.json`, 'utf8'));
    await client.connect(new StdioClientTransport({ command: `${installed}/${bin['food-lookup-mcp']}` }));
    expect(client.getServerVersion()?.version).toBe(version);
    const weighed = await client.callTool({ name: 'weigh_foods', arguments: { lines: ['2 eggs'] } });
    expect(weighed.structuredContent).toMatchObject({ total: { kcal: '143.00', unknown: 0 } });
  });

  test('compiles a program that finds foods, cancels a search, and tells errors apart', async () => {
    const { home } = release;
    await writeFile(`${home}/main.ts`, PROGRAM);
    for (const name of ['@types/node', 'undici-types'])
      await cp(`node_modules/${name}`, `${home}/node_modules/${name}`, { recursive: true });
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const flags = 'main.ts --strict --ignoreConfig --target es2023 --module nodenext --types node';
    await execute(process.execPath, [compiler, ...flags.split(' ')], { cwd: home });
    const { url } = await served({});
    const nothing = `http://127.0.0.1:${await freePort()}`;
    const { stdout } = await execute(process.execPath, ['main.js', url, nothing], { cwd: home });
    expect(JSON.parse(stdout)).toEqual({
      first: 'Quail egg, whole, raw',
      kcal: 158,
      grams: 9,
      kinds: ['aborted', 'answered-with-error', 'blocked-or-unreachable', 'unusable-address'],
      MAX_FOODS: 100,
    });
  });
});

describeWithProgram('prometheus', () => {
  test('an operator is alerted when a process ends, and no longer when it is back', async () => {
    const few = { FOOD_DATA: await folder.write('egg.csv', tableOf(['Egg'])) };
    const port = await freePort();
    const [well, ill] = await Promise.all([served(few), served(few, port)]);
    const prometheus = await startPrometheus(folder.path('prometheus'), [well, ill]);
    onTestFinished(() => prometheus.stop());
    await expect.poll(prometheus.targetsUp).toBe(2);
    // Until it has read them, none is there.
    await expect.poll(prometheus.firing).toEqual([]);
    await ill.stop();
    const alert = { alertname: 'FoodLookupDown', instance: `127.0.0.1:${port}`, severity: 'page' };
    await expect.poll(prometheus.firing).toMatchObject([alert]);
    await served(few, port);
    await expect.poll(prometheus.firing).toEqual([]);
  });
});

describe('a clone', () => {
  const clone = temporaryFolder();

  test('has a command that works before and after the build, even if npx remembers the first', async () => {
    for (const name of ['package.json', 'bin', 'exec.cmd'])
      await cp(name, clone.path(name), { recursive: true });
    const env = { ...process.env, npm_config_cache: clone.path('cache') };
    const npx = () => execute('npx', ['food-lookup', '--version'], { cwd: clone.path(''), env });
    await expect(npx()).rejects.toThrow('food-lookup: it is not built yet. Run "npm run build"');
    for (const name of ['dist', 'node_modules']) await symlink(resolve(name), clone.path(name));
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect((await npx()).stdout).toBe(`${version}\n`);
  });
});
