/** Searches by words have the same answers and replacements in PostgreSQL as in memory, byte for byte. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type FoodRecord, NO_OTHER_NAMES } from '#core';
import { parsePostgresUrl } from '#postgres';
import { readOtherNames } from '#service';
import { typedTexts } from '../../load/tools/typed-texts.ts';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { StoredTables } from '../../src/postgres/schema.ts';
import { startForTest } from '../support/lifetime.ts';
import { load, newDatabase, postgres, sql } from '../support/postgres-catalog.ts';
import { seeded } from '../support/random.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { ask, food, TEST_LABEL } from '../support/service.ts';
import { starterFoods } from '../support/starter-foods.ts';
import { succeeds, waitFor } from '../support/wait.ts';
import { type Both, bothOf, expectLikeMemory, expectSameByWords } from './like-memory.ts';

const descriptionsOf = (foods: readonly FoodRecord[]) => foods.map(({ description }) => description);

const OTHERS = ['aubergine', 'courgettes', 'minced beef', 'prawn cocktail', 'rocket salad', 'skimmed milk'];
const BLANKS = [...", ... \0 \ud83e milk\ud83e \u200b % '".split(' '), '', ' ', '   ', '\t\n', ' , milk  ,'];
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');

const TOGETHER =
  '红烧牛肉面|牛肉|水牛|面条, 牛肉|バター 有塩|ｷｳｲ|닭고기 볶음|ข้าวผัดกุ้ง|DHA強化卵|Bœuf|Boeuf, cru|Fløde|dha|牛奶糖|牛奶，全脂|（乳）牛奶、普通|حليبية|حليب، كامل|दूधपाक|दूध। पूर्ण'.split(
    '|',
  );

describeWithPostgres('PostgreSQL finds foods as memory does, in scripts without blanks', () => {
  test('for letters that are spelled out, and commas and brackets of other scripts', async () => {
    // Twice, and often: some are repeats, and some are common words.
    const often = Array.from({ length: 660 }, (_, i) => `${TOGETHER[i % TOGETHER.length]} ${i}`);
    const foods = [...TOGETHER, ...TOGETHER, ...often].map((name) => food(name));
    const texts = [
      ...TOGETHER,
      ...'牛 肉面 牛肉汤面 牛肉,面 ばたー ｷﾞｳｲ 고기 กุ้ง 卵dha boeuf böuf floede flode fl'.split(' '),
      ...['1 牛肉', 'de boeuf'],
      ...'牛奶 ，全脂 牛奶（全脂） 普通、 ， حليب دودھ दूध'.split(' '),
    ];
    await expectLikeMemory(foods, texts);
  });
});

describeWithPostgres('PostgreSQL finds foods by a single word as memory does', () => {
  test.each([
    ['in letters of full width', 'ＡＢＣ チョコ|abc|abcd|ａｂ|Ａbc, x|２ %|ABC tea|ＡＢＣ チョコ', undefined],
    ['in other names, behind repeats', 'abc tea|ab|abc tea|牛肉 abc|牛肉 abc|水牛', ['abc milk', '牛肉 x']],
  ])('%s', async (_, descriptions, names) => {
    const foods = descriptions.split('|').map((description, i) => ({
      ...food(description, { kcal: String(i) }),
      ...(names && i % 2 === 1 && { names }),
    }));
    await expectLikeMemory(foods, 'abc a ab ａｂｃ 2 ２ 牛肉 milk ABC'.split(' '));
  });
});

describeWithPostgres('PostgreSQL finds foods by words as memory does, in the starter foods', () => {
  let foods: FoodRecord[];
  let both: Both;
  beforeAll(async () => {
    foods = await starterFoods();
    both = await bothOf(foods);
  });
  afterAll(() => both.database.close());

  test('for 300 texts of one to four words', () =>
    expectSameByWords(both, typedTexts(descriptionsOf(foods), 300, 17)));

  test('for other names, blanks and letters', async () => {
    const names = await readOtherNames(undefined);
    await expectSameByWords(both, [...OTHERS, ...BLANKS, ...LETTERS], names);
    const { replaced } = await both.database.searchWords('minced beef', names);
    expect(replaced).toEqual([{ typed: 'minced beef', searched: 'ground beef' }]);
  });

  test('and weighs them alike', async () => {
    const [first, second] = [await startForTest(both.memory), await startForTest(both.database)];
    const amounts = ['2', '1 cup', '3 tbsp', '100 g', '2 large', 'a pinch of', '2 x 400 g cans'];
    for (let at = 0; at < foods.length; at += 150) {
      const some = foods.slice(at, at + 30);
      const lines = some.map((each, i) => `${amounts[i % amounts.length]} ${each.description.toLowerCase()}`);
      const target = `/amounts?${new URLSearchParams({ q: lines.join('\n') })}`;
      const { status, body } = await ask(first, target);
      expect(status).toBe(200);
      expect((await ask(second, target)).body).toBe(body);
    }
  });
});

describeWithPostgres('PostgreSQL finds foods by other names as memory does', () => {
  let both: Both;
  let named: FoodRecord[];
  beforeAll(async () => {
    const foods = await starterFoods();
    const random = seeded(48);
    const any = () => foods[random(foods.length)]?.description.toLowerCase() ?? '';
    // Names of many foods, of few, and of one; words that only names have; names of one word that descriptions have.
    named = foods.map((each, i) => {
      const names = [any(), `${any().split(',')[0]} kin`];
      if (i % 3 === 0) names.push('everyday', any().split(/[ ,]/)[0] ?? '');
      return i % 4 === 0 ? each : { ...each, names };
    });
    both = await bothOf(named);
  });
  afterAll(() => both.database.close());

  test('for whole names, parts of names, and single words', async () => {
    const names = named.flatMap(({ names = [] }) => names.slice(0, 1 + (names.length % 3)));
    const words = [...new Set(names.flatMap((name) => name.split(/[ ,]+/)))];
    await expectSameByWords(both, names.slice(0, 300));
    await expectSameByWords(both, words.slice(0, 300));
    await expectSameByWords(both, typedTexts(names, 200, 5));
  });

  test('and answers the names', async () => {
    for (const { description, names = [] } of named.slice(0, 40)) {
      const { body } = await both.database.lookUp('names', description);
      expect(JSON.parse(body.toString())).toEqual(names);
      expect(body).toEqual(both.memory.lookUp('names', description));
    }
  });
});

describeWithPostgres('PostgreSQL finds foods by a prefix of many words as memory does', () => {
  test('whose postings are in several parts', async () => {
    const random = seeded(4);
    const words = () => Array.from({ length: 30 }, () => `appl${random(3000)}`).join(' ');
    const foods = Array.from({ length: 4800 }, (_, i) => food(`Food ${i % 97}, ${words()}, x${i}`));
    const reads = vi.spyOn(StoredTables.prototype, 'parts');
    await expectLikeMemory(foods, ['food appl', '96 appl', 'x4799 appl', 'appl x f', 'appl0 appl1 appl2 f']);
    expect(reads.mock.calls.map(([, numbers = []]) => numbers.length)).toContain(32);
    reads.mockRestore();
  });

  test('of which the most common are read if the words are too many', async () => {
    const foods = Array.from({ length: 20_000 }, (_, i) =>
      food(`Food appl${i} bana${(7 * i) % 20_000}, appl${i % 300}, bana${i % 700}, c${i % 5}`),
    );
    const texts = 'appl bana|bana appl c|appl bana food|appl bana c fodo|appl bana d|c4 appl bana';
    await expectLikeMemory(foods, [], texts.split('|'));
  });
});

describeWithPostgres('a search by words', () => {
  /** The current data set's table of a kind. */
  async function tableOf(url: string, kind: string): Promise<string> {
    const rows = await sql(url, 'SELECT generation FROM food_lookup.data_set');
    return `food_lookup.${kind}_${rows[0]?.generation}`;
  }

  async function eventually(database: PostgresCatalog, text: string) {
    const search = () => database.searchWords(text, NO_OTHER_NAMES);
    await waitFor(() => succeeds(search()));
    return search();
  }

  async function loaded(foods: readonly FoodRecord[]) {
    const url = await newDatabase();
    await load(url, foods, TEST_LABEL);
    const database = await PostgresCatalog.open(parsePostgresUrl(url));
    onTestFinished(() => database.close());
    return { url, database };
  }

  /** A session of its own, which has locked the table. */
  async function locking(url: string, table: string): Promise<pg.Client> {
    const client = await postgres().client(new URL(url).pathname.slice(1));
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return client;
  }

  test('starts again if its data set is removed between two of its statements', async () => {
    const { url, database } = await loaded([food('Egg, whole, old')]);
    const old = await tableOf(url, 'foods');
    // After the postings are read, another session locks the foods and removes them.
    const client = await locking(url, old);
    const answer = database.searchWords('whole egg', NO_OTHER_NAMES).catch(() => undefined);
    const blocked = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${old}'::regclass`;
    await waitFor(async () => (await client.query(blocked)).rows.length > 0);
    const [number = ''] = old.match(/\d+/) ?? [];
    await client.query(`DROP TABLE ${old}, food_lookup.words_${number}, food_lookup.patterns_${number}`);
    await client.query('DELETE FROM food_lookup.data_set');
    await client.query('COMMIT');
    await client.end();
    await load(url, [food('Egg, whole, new')], TEST_LABEL);
    const { body } = (await answer) ?? (await eventually(database, 'whole egg'));
    expect(body.toString()).toContain('"Egg, whole, new"');
  });

  test('fails in time if the words cannot be read, and works again afterwards', async () => {
    const { url, database } = await loaded([food('Egg, whole')]);
    const client = await locking(url, await tableOf(url, 'words'));
    const started = performance.now();
    const refusal = /did not answer in time|cannot be searched for the moment/;
    await expect(database.searchWords('whole egg', NO_OTHER_NAMES)).rejects.toThrow(refusal);
    expect(performance.now() - started).toBeLessThan(10_000);
    await client.query('ROLLBACK');
    await client.end();
    const { body } = await eventually(database, 'whole egg');
    expect(JSON.parse(body.toString())).toHaveLength(1);
  });

  test('is refused with one sentence if the table of words lacks rows', async () => {
    const { url, database } = await loaded([food('Egg, whole')]);
    await sql(url, `DELETE FROM ${await tableOf(url, 'words')} WHERE section = 'postings'`);
    await expect(database.searchWords('whole egg', NO_OTHER_NAMES)).rejects.toThrow(/did not answer in time/);
    expect(JSON.parse((await database.search('egg')).body.toString())).toHaveLength(1);
  });
});
