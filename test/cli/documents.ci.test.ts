/**
 * Runs the commands of all documents, in a folder with the files that they name. A new command in any document has to run here, or
 * to be named in test/support/documents.ts.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import {
  COMMANDS,
  type Command,
  PAGES,
  READ_BY,
  RUN_HERE,
  TRIED_ELSEWHERE,
  UNTRIED,
} from '../support/documents.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/listen.ts';
import { documentedRoles, Postgres } from '../support/postgres.ts';
import { POSTGRES_BINARIES } from '../support/postgres-binaries.ts';
import { endGroup, execute, spawnGroup } from '../support/programs.ts';
import { describeWithPostgres, describeWithPrograms } from '../support/requirements.ts';
import { table, tablesOf, writeZip } from '../support/usda.ts';
import { succeeds, waitFor } from '../support/wait.ts';

const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Programs that run until they are ended. */
const SERVES = /npm start$|food-lookup serve|http\.server/;

/** What is seen of a command: of one that serves, in its page, and in an answer to a page of another origin. */
const SHOWS: Readonly<Record<string, readonly string[]>> = {
  'npm ci && npm start': ['<title>'],
  'python3 -m http.server 8000': ['a page'],
  'ALLOWED_ORIGIN=http://localhost:8000 npm start': ['access-control-allow-origin: http://localhost:8000'],
  'npx food-lookup amounts recipe.txt': ['Tomatoes, canned', '2 × 400 g', '1 lb + 4 oz', 'total'],
  'npx food-lookup import foods.xlsx --dry-run': ['kcal', 'Nothing was written'],
  'FOOD_DATA=foods.idx npm start': ['Kohlrabi, raw', 'Rye bread'],
};

const PANCAKES = '3 eggs\n250 ml milk\n';
const recipeIngredient = PANCAKES.trim().split('\n');
const RECIPE = { '@type': 'Recipe', recipeIngredient, recipeYield: '4 servings' };
const SWISS = `${HEADER.replace('description', 'name D,name F')}\nApfel,Pomme,52,0,14,0,0,0\n`;
/** Files that the documents name as the reader's own. */
const FILES: Readonly<Record<string, string>> = {
  'index.html': 'a page',
  'recipe.txt': '2 x 400g tins chopped tomatoes\n1 lb 4 oz beef mince\n',
  'pancakes.txt': PANCAKES,
  'pancakes.cook': 'Whisk @eggs{3} with @milk{250%ml}.',
  'pancakes.html': `<script type="application/ld+json">${JSON.stringify(RECIPE)}</script>`,
  'foods.csv': `${HEADER}\nWhole milk,61,3,5,1,1,0\n"Onions, green",32,2,7,0,0,0\n`,
  'my-foods.csv': `${HEADER}\nOwn bread,259,8,48,1,1,1\n`,
  'swiss.tsv': SWISS.replaceAll(',', '\t'),
  'my-names.csv': 'food,name\n"Kohlrabi, raw",Turnip cabbage\n',
};

/** A server with the roles of docs/postgresql.md. */
async function startDatabase(): Promise<Postgres> {
  const server = await Postgres.start();
  await server.query('CREATE DATABASE food');
  await server.queryIn('food', await documentedRoles('PASSWORD'));
  return server;
}

describe('the commands of', () => {
  const folder = temporaryFolder();
  /** Variables that a line has set for those after it. */
  const set: Record<string, string> = {};
  let database: Postgres | undefined;
  let service: Awaited<ReturnType<typeof start>>;
  let downloads: Server;
  let address: string;

  beforeAll(async () => {
    // A clone in which the commands may write.
    for (const name of ['package.json', 'bin', 'dist', 'node_modules', 'data'])
      await symlink(resolve(name), folder.path(name));
    await cp('deploy', folder.path('deploy'), { recursive: true });
    for (const name of ['default', 'patroni', 'haproxy'])
      await mkdir(folder.path(`etc/${name}`), { recursive: true });
    // The document says to put the names of one's own servers into it.
    const proxy = await readFile('deploy/cluster/haproxy.cfg', 'utf8');
    await folder.write('deploy/cluster/haproxy.cfg', proxy.replaceAll(/db\d\.example/g, '127.0.0.1'));
    await folder.write('food-lookup', `#!/bin/sh\nexec node ${resolve('bin/food-lookup.js')} "$@"\n`);
    await execute('chmod', ['+x', folder.path('food-lookup')]);
    for (const [name, content] of Object.entries(FILES)) await folder.write(name, content);
    for (const name of ['foods.xlsx', 'my-foods.xlsx'])
      await cp('test/files/workbooks/my-foods.xlsx', folder.path(name));
    await cp('test/files/programs/open-food-facts-subset.csv', folder.path('open-food-facts'));
    const kohlrabi = { fdc_id: 1, data_type: 'foundation_food', description: 'Kohlrabi, raw' };
    const more = { 'foundation_food.csv': table('foundation_food.csv', [{ fdc_id: 1 }]) };
    await writeZip(folder.path('usda'), tablesOf([kohlrabi], { 1: { 1008: 27 } }, more));
    for (const name of ['off.idx', 'sr28.idx'])
      await run(['import', folder.path('foods.csv'), '--to', folder.path(name)]);
    if (existsSync(POSTGRES_BINARIES)) database = await startDatabase();
    downloads = createServer(async ({ url = '' }, response) =>
      response.end(await readFile(folder.path(url))),
    );
    address = await listen(downloads);
    service = await start('food-lookup serve --allowed-origin https://app.example', await freePort());
  });
  afterAll(async () => {
    await endGroup(service.child);
    downloads.close();
    await database?.remove();
  });

  const environment = () => ({
    HOME: folder.path(''),
    XDG_CACHE_HOME: '',
    PATH: `${folder.path('')}:${process.env.PATH}:/usr/sbin`,
    npm_config_cache: folder.path('npm'),
    ...set,
  });

  /** The command with the files, ports and servers of this test. */
  function ready(text: string, port: number): string {
    const own: Readonly<Record<string, string>> = {
      'npm ci && ': '',
      'curl ': 'curl --fail ',
      'npm start': 'npm start --ignore-scripts',
      'localhost:3001': `localhost:${service.port}`,
      '127.0.0.1:3001': `127.0.0.1:${service.port}`,
      8080: String(port),
      'http.server 8000': `http.server ${port} --bind 127.0.0.1`,
      '/etc/': 'etc/',
      'systemctl restart haproxy': 'true',
      'db1.example,db2.example,db3.example/': `127.0.0.1:${database?.port}/`,
      '127.0.0.1:5433,127.0.0.1:5434/': `127.0.0.1:${database?.port}/`,
      'db1.example:5432': `127.0.0.1:${database?.port}`,
      'db1.example/': `127.0.0.1:${database?.port}/`,
      'PGPASSWORD=…': 'PGPASSWORD=PASSWORD',
    };
    const line = Object.entries(own).reduce((each, [from, to]) => each.replaceAll(from, to), text);
    // The first source known by name is downloaded from here; a second one is the file.
    return line
      .replace(/(usda|open-food-facts)\S*/, (name, kind) => `${name} --url ${address}/${kind}`)
      .replace(/(?<=usda.* )usda:\S+/, 'usda');
  }

  async function start(line: string, port: number) {
    const env = { ...environment(), PORT: String(port) };
    const child = spawnGroup('sh', ['-c', `cd ${folder.path('')} && ${line}`], env);
    const url = `http://127.0.0.1:${port}`;
    await waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`${line} has ended`);
      return succeeds(fetch(url));
    });
    return { child, port, url };
  }

  /** What a service shows. */
  async function shownBy(line: string, port: number): Promise<string> {
    const { child, url } = await start(line, port);
    const [page, answer] = await Promise.all([
      fetch(url),
      fetch(`${url}/api/food?q=a`, { headers: { origin: 'http://localhost:8000' } }),
    ]);
    const headers = Array.from(answer.headers, (each) => each.join(': '));
    const shown = [await page.text(), ...headers, await answer.text()].join('\n');
    await endGroup(child);
    return shown;
  }

  async function tryOut({ text, prints }: Command): Promise<void> {
    const [, name, value] = /^(\w+)=(\S+)$/.exec(text) ?? [];
    if (name !== undefined && value !== undefined) {
      set[name] = value;
      return;
    }
    const port = await freePort();
    const line = ready(text, port);
    const before = await readdir(folder.path(''));
    const options = { cwd: folder.path(''), env: { ...process.env, ...environment() } };
    const printed = async () => (await execute('sh', ['-c', line], options)).stdout;
    const shown = await (SERVES.test(text) ? shownBy(line, port) : printed());
    for (const part of SHOWS[text] ?? []) expect(shown).toContain(part);
    if (prints !== undefined) expect(JSON.parse(shown)).toEqual(JSON.parse(prints));
    if (line.includes('--dry-run')) expect(await readdir(folder.path(''))).toEqual(before);
  }

  /** The programs of a command that a machine may lack. */
  const programsOf = (text: string): string[] =>
    Array.from(text.matchAll(/(?:^|&& )(?:\w+=\S+ )*([\w-]+)(?= |$)/g), ([, program = '']) => program).filter(
      (program) => program !== 'food-lookup',
    );

  for (const page of new Set(RUN_HERE.map((command) => command.page))) {
    const commands = RUN_HERE.filter((command) => command.page === page);
    const tests = () => {
      for (const command of commands)
        describeWithPrograms(...programsOf(command.text))(command.text, () =>
          test('runs', () => tryOut(command)),
        );
    };
    (page === 'docs/postgresql.md' ? describeWithPostgres : describe)(page, tests);
  }
});

describe('a command that is not run here', () => {
  test('is one of a document', () => {
    const texts = COMMANDS.map(({ text }) => text);
    expect(Object.keys(TRIED_ELSEWHERE).filter((each) => !texts.includes(each))).toEqual([]);
    const beginnings = Object.keys(UNTRIED).filter((each) => !texts.some((text) => text.startsWith(each)));
    expect(beginnings).toEqual([]);
  });

  test.each(Object.entries(TRIED_ELSEWHERE))('%s is tried elsewhere', async (_, [file, says]) => {
    expect(await readFile(file, 'utf8')).toContain(says);
  });

  test.each(READ_BY)('is read by %s from %s', async (file, page) => {
    expect(await readFile(file, 'utf8')).toContain(page);
  });

  test('is a script of the project, if npm runs it', async () => {
    const pages = await Promise.all(PAGES.map((page) => readFile(page, 'utf8')));
    const named = pages.flatMap((page) =>
      Array.from(page.matchAll(/\bnpm run (?:--\w+ )?([\w:-]+)/g), ([, name = '']) => name),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
