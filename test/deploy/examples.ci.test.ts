/** The commands of examples/README.md. The browser tests cover their pages. */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { openIndex } from '../../packages/browser/open-index.ts';
import { portions, searchFoods } from '../../packages/browser/search-foods.ts';
import { freePort } from '../support/free-port.ts';
import { end, writtenTo } from '../support/programs.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { catalogOf, food, startService } from '../support/service.ts';
import { succeeds } from '../support/wait.ts';

const page = await readFile('examples/README.md', 'utf8');
const COMMANDS = Array.from(
  page.matchAll(/`npm run example -- (.*?)`/g),
  ([, line]) => line?.split(' ') ?? [],
);

/** Does what `npm run example --` does after its build. */
async function example(...args: string[]) {
  const [port, pagePort] = [String(await freePort()), String(await freePort())];
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/example.ts', ...args], {
    env: { PATH: process.env.PATH, PORT: port, PAGE_PORT: pagePort },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = writtenTo(child.stdout);
  return { child, output, service: `http://localhost:${port}`, origin: `http://localhost:${pagePort}` };
}

test('every example has a command', async () => {
  const folders = (await readdir('examples', { withFileTypes: true })).filter((each) => each.isDirectory());
  expect(COMMANDS.map(([name]) => name).toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

test('the page of an example is served, and may read the answers', async () => {
  const { child, output, service, origin } = await example('plain');
  const address = `${origin}/?api=${encodeURIComponent(service)}`;
  await expect.poll(output).toContain(`the example is at ${address}\n`);
  expect(await (await fetch(address)).text()).toContain('main.js');
  const main = await (await fetch(`${origin}/main.js`)).text();
  const [, client = ''] = /from "(.*search-foods.js)"/.exec(main) ?? [];
  expect(await (await fetch(`${origin}${client}`)).text()).toContain('searchFoods');
  const answer = await fetch(`${service}/api/food?q=quail`, { headers: { origin } });
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  await end(child);
  await expect.poll(() => succeeds(fetch(service))).toBe(false);
});

test('the static example has all its files', async () => {
  const { child, output, origin } = await example('static');
  await expect.poll(output).toContain(`the example is at ${origin}/`);
  expect(await (await fetch(origin)).text()).toContain('<title>Food search without a service</title>');
  const foods = await openIndex(`${origin}/foods.idx`);
  expect(await foods.searchFoods('quail')).toContainEqual(
    expect.objectContaining({ description: 'Quail egg, whole, raw' }),
  );
  await end(child);
});

describeWithProgram('python3', () => {
  test('prints the foods', async () => {
    const { output } = await example('python', 'quail');
    await expect.poll(output).toContain('\nQuail egg, whole, raw: 158 kcal per 100 g\n');
  });

  test('prints why there are no foods', async () => {
    const script = spawn('python3', ['examples/python/foods.py', 'egg', 'http://127.0.0.1:9']);
    expect(await text(script.stderr)).toMatch(/^http:\/\/127\.0\.0\.1:9: .*refused/);
  });
});

describeWithProgram('nginx', () => {
  test('serves page and answers on one origin', async () => {
    const { child, output, origin } = await example('nginx');
    await expect.poll(output).toContain(`the example is at ${origin}/?api=/\n`);
    await expect.poll(() => succeeds(fetch(origin))).toBe(true);
    expect(await (await fetch(origin)).text()).toContain('<title>Food search for a phone</title>');
    expect(await (await fetch(`${origin}/api/food?q=quail`)).text()).toContain('Quail egg, whole, raw');
    await end(child);
  });
});

test("Vite's proxy in docs/cross-origin.md leads to the service on the origin of the page", async () => {
  const [, written = ''] = /```js\n([\s\S]*?)```/.exec(await readFile('docs/cross-origin.md', 'utf8')) ?? [];
  const egg = food('Quail egg', { portions: [{ portion: '1 egg', grams: '9' }] });
  const service = await startService(await catalogOf([egg]));
  const config = written.replaceAll('http://localhost:3001', service.url);
  const { default: proxied } = await import(`data:text/javascript,${config}`);
  const plain = { configFile: false, root: 'examples/plain', logLevel: 'silent' } as const;
  const site = await createServer({ ...proxied, ...plain });
  await site.listen(await freePort());
  const [page = ''] = site.resolvedUrls?.local ?? [];
  expect(await searchFoods(page, 'quail')).toMatchObject([{ description: 'Quail egg' }]);
  expect(await portions(page, 'Quail egg')).toEqual([{ portion: '1 egg', grams: 9 }]);
  await Promise.all([site.close(), service.close()]);
});

test('without a name, the command lists the examples', async () => {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/example.ts']);
  expect(await text(child.stderr)).toContain('plain|react|phone|recipe|static|nginx|python');
});
