import { cp, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { casesOf } from '../support/cases.ts';
import { type Running, run, runAlone, serve, TWO_FOODS } from '../support/command.ts';
import { HEADER, oneFood, temporaryFolder } from '../support/files.ts';
import { listen } from '../support/listen.ts';
import { refused } from '../support/refused.ts';

const folder = temporaryFolder();

const egg = oneFood(folder);

describe('food-lookup serve', () => {
  describe('without settings', () => {
    let service: Running;
    beforeAll(async () => {
      service = await serve([]);
    });
    afterAll(async () => {
      expect(await service.stop()).toBe(0);
      expect(service.errors()).toBe('');
    });

    test('prints its address, its data set, and how to change which pages may read', () => {
      expect(service.greeting).toMatch(/listens on http:\/\/localhost:\d+\//);
      expect(service.greeting).toMatch(/starter foods: 1,\d{3} foods/);
      expect(service.greeting).toContain(
        'pages on other origins cannot read the answers. To change it: ALLOWED_ORIGIN=https://',
      );
    });

    test('answers on IPv4 and, if the machine has it, on IPv6', async () => {
      for (const host of ['127.0.0.1', 'localhost'])
        expect((await fetch(`http://${host}:${service.port}/api/food?q=egg`)).status).toBe(200);
    });
  });

  test('accepts each setting as a flag, names a food equal to an earlier one, and says why development has no page', async () => {
    const soups = 'Soup of the day,1,2,3,4,5,6\nSoup of the day,1.0,2,3,4,5,6\n';
    const file = await folder.write('mine.csv', `${HEADER}\n${soups},1,2,3,4,5,6\n`);
    const service = await serve([
      ...['--food-data', file, '--allowed-origin', 'https://app.example', '--host', '127.0.0.1'],
      ...['--node-env', 'development', '--log-level', 'silent'],
    ]);
    expect(service.greeting).toContain(
      '  data set   mine.csv: 1 food, 1 row without a description left out\n             duplicate: 1 of an equal food: Soup of the day\n',
    );
    expect(service.greeting, 'a text that finds a food').toMatch(/try .*\/api\/food\?q=soup\n/);
    const ask = (origin: string) => fetch(`${service.url}/api/food?q=soup`, { headers: { origin } });
    const response = await ask('https://app.example');
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(await response.json()).toHaveLength(1);
    const page = await fetch(`${service.url}/`);
    expect(page.status).toBe(404);
    expect(await page.json()).toEqual({ error: expect.stringContaining('NODE_ENV=development') });
    await ask('https://b.example');
    await service.stop();
    expect(service.errors()).toBe('');
  });

  test("reads a user's own table, and names the column of each field", async () => {
    const service = await serve([], { FOOD_DATA: TWO_FOODS });
    expect(service.greeting).toContain(
      '  data set   open-food-facts-subset.csv: 2 foods\n             description: column 1, "product_name"\n' +
        '             kcal: column 3, "energy-kcal_100g", rather than column 2, "energy-kj_100g"\n',
    );
    const found = await (await fetch(`${service.url}/api/food?q=butter`)).json();
    expect(found).toMatchObject([{ fat_g: '81.11' }]);
    await service.stop();
    expect(service.errors()).toBe('');
  });

  it.each([
    ['staging', 'https://app.example', 'pages on https://app.example may read the answers.'],
    ['production', '*', 'pages on every origin may read the answers.'],
  ])('with NODE_ENV=%s and ALLOWED_ORIGIN=%s serves the page, and says: %s', async (env, origin, line) => {
    const service = await serve([], { FOOD_DATA: egg.index, NODE_ENV: env, ALLOWED_ORIGIN: origin });
    expect(service.greeting).toContain(line);
    const response = await fetch(`${service.url}/`);
    expect(response.headers.get('content-type')).toContain('text/html');
    await service.stop();
  });
});

describe('if the page is not built', () => {
  const MESSAGE = 'npm run build';
  const main = () => folder.path('checkout/dist/service/cli/main.js');

  beforeAll(async () => {
    const filter = (file: string) => !/^dist\/client(\/|$)/.test(file);
    for (const name of ['package.json', 'data', 'dist'])
      await cp(name, folder.path(`checkout/${name}`), { recursive: true, filter });
    await symlink(resolve('node_modules'), folder.path('checkout/node_modules'));
  });

  test('searches are answered, and the greeting and / say what to do', async () => {
    const service = await serve([], { FOOD_DATA: egg.index }, main());
    expect((await fetch(`${service.url}/api/food?q=egg`)).status).toBe(200);
    const response = await fetch(`${service.url}/`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: expect.stringContaining(MESSAGE) });
    await service.stop();
    expect(service.errors()).toContain(MESSAGE);
  });

  test('the service does not start in production', async () => {
    const settings = { FOOD_DATA: egg.index, NODE_ENV: 'production' };
    expect(await refused(runAlone(['serve', '--port', '0'], settings, main()))).toContain(MESSAGE);
  });
});

describe('food-lookup serve does not start, and ends with exit code 1 and one line, for', () => {
  const broken = (args: string[], environment: Record<string, string> = {}): Promise<string> =>
    refused(run(['serve', ...args], environment));

  it.each(
    casesOf(`
      PORT=70000 | PORT: "70000" cannot be used
      ALLOWED_ORIGIN=https://a.example/ | remove the trailing slash: https://a.example
      FOOD_DATA=/ | Data file "/": this is a folder
      --port=3001 --operations-port=3001 | OPERATIONS_PORT: 3001 is also PORT.
      --max-connections=9999999 | 9999999 cannot be used: the limit of open files allows
      --food-data=test/files/bad/word-in-cell.csv
        | Data file "test/files/bad/word-in-cell.csv", line 2, column kcal: "many"`),
  )('%s', async (given = '', message) => {
    const [name = '', value = ''] = given.split('=');
    const refusal = given.startsWith('--') ? broken(given.split(' ')) : broken([], { [name]: value });
    expect(await refusal).toContain(message);
  });

  test('a port that is taken', async () => {
    const other = createServer();
    const { port } = new URL(await listen(other));
    expect(await broken(['--port', port])).toContain(`PORT: ${port} is taken by another process.`);
    other.close();
  });

  test('a file without a food', async () => {
    const file = await folder.write('header.csv', `${HEADER}\n,1,2,3,4,5,6\n`);
    const said = `Data file "${file}" has no food. Check that it is complete.`;
    expect(await broken([], { FOOD_DATA: file })).toContain(said);
  });
});

test('an unknown flag or command is refused with a suggestion', async () => {
  for (const [args, suggestion] of [
    [['serve', '--prot', '1'], /unknown option '--prot'.*Did you mean --port\?/s],
    [['serv'], /Did you mean serve\?/],
  ] as const)
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(suggestion) });
});
