import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import initSqlJs, { type SqlJsStatic } from 'sql.js';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import type { FoodRecord } from '../../src/food.ts';
import { detectKind } from '../../src/readers/detect.ts';
import { readSqlite } from '../../src/readers/sqlite.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/files.ts';

const TABLE =
  'CREATE TABLE entries (id, description, kcal, protein_g, carbohydrate_g, fa_sat_g, fa_mono_g, fa_poly_g);';
const folder = temporaryFolder();
let sql: SqlJsStatic;
let files = 0;

beforeAll(async () => {
  sql = await initSqlJs();
});

/** Writes a database with a SQLite other than the one under test. */
async function write(script: string): Promise<string> {
  const db = new sql.Database();
  db.exec(script);
  const file = await folder.write(`${++files}.sqlite3`, db.export());
  db.close();
  return file;
}

const read = async (script: string): Promise<FoodRecord[]> => collect(readSqlite(await write(script)));

async function errorOf(script: string): Promise<string> {
  try {
    await read(script);
  } catch (error) {
    if (error instanceof UserError) return error.message.replace(/^Data file ".*?"/, 'FILE');
    throw error;
  }
  throw new Error('the file was accepted');
}

test('a SQLite file is known by its content, whatever its name', async () => {
  expect(await detectKind(await write(TABLE))).toBe('sqlite');
});

test('every kind of number keeps its digits, and NULL is not known', async () => {
  const [food] = await read(`${TABLE}
    INSERT INTO entries VALUES (1, 'Food', 9007199254740993, 51.368, '0.10', NULL, 1e-7, '');`);
  expect(food).toEqual({
    description: 'Food',
    kcal: '9007199254740993',
    protein_g: '51.368',
    carbohydrate_g: '0.1',
    fa_sat_g: null,
    fa_mono_g: '0.0000001',
    fa_poly_g: null,
  });
});

test('rows come in their order, with NULL as an empty description', async () => {
  const foods = await read(`${TABLE}
    INSERT INTO entries (description) VALUES ('c'), (NULL), ('a'), (''), ('b');`);
  expect(foods.map((food) => food.description)).toEqual(['c', '', 'a', '', 'b']);
});

test('entries may be a view', async () => {
  const foods = await read(`CREATE TABLE food (name, energy);
    INSERT INTO food VALUES ('Egg', 143);
    CREATE VIEW entries AS SELECT name AS description, energy AS kcal, NULL AS protein_g, NULL AS carbohydrate_g,
      NULL AS fa_sat_g, NULL AS fa_mono_g, NULL AS fa_poly_g FROM food;`);
  expect(foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
});

test('a file in write-ahead-log mode is read', async () => {
  const db = new sql.Database();
  db.exec(`${TABLE} INSERT INTO entries (description) VALUES ('Egg');`);
  const bytes = db.export();
  bytes.fill(2, 18, 20); // the two version bytes that mean "write-ahead log"
  const file = await folder.write('wal.sqlite3', bytes);
  expect(await collect(readSqlite(file))).toMatchObject([{ description: 'Egg' }]);
});

test('nothing is written beside the file, and an old lock there does not matter', async () => {
  await mkdir(folder.path('alone'));
  const db = new sql.Database();
  db.exec(`${TABLE} INSERT INTO entries (description) VALUES ('Egg');`);
  const file = await folder.write('alone/foods.db', db.export());
  await mkdir(`${file}.lock`);
  expect(await collect(readSqlite(file))).toHaveLength(1);
  expect(await readdir(dirname(file))).toEqual(['foods.db', 'foods.db.lock']);
});

describe('a broken SQLite file is refused with its place: it', () => {
  it.each([
    ['has no table entries', 'CREATE TABLE foods (a)', 'FILE: there is no table entries.'],
    [
      'lacks columns',
      'CREATE TABLE entries (description, kcal)',
      'the table entries lacks carbohydrate_g, protein_g',
    ],
    [
      'has a text for a figure',
      `${TABLE} INSERT INTO entries (description, kcal) VALUES ('a', 1), ('b', '12 kcal')`,
      'FILE, table entries, row 2, column kcal: "12 kcal" is not a plain decimal number',
    ],
    [
      'has an infinite figure',
      `${TABLE} INSERT INTO entries (description, fa_sat_g) VALUES ('a', 9e999)`,
      'FILE, table entries, row 1, column fa_sat_g: "Infinity" is not a plain decimal number',
    ],
    [
      'has bytes for a figure',
      `${TABLE} INSERT INTO entries (description, kcal) VALUES ('a', x'0102')`,
      'FILE, table entries, row 1, column kcal: "1,2" is not a plain decimal number',
    ],
    [
      'has a number for a description',
      `${TABLE} INSERT INTO entries (description) VALUES (12)`,
      'FILE, table entries, row 1, column description: "12" is not a text.',
    ],
  ])('%s', async (_what, script, message) => expect(await errorOf(script)).toContain(message));

  test('is cut', async () => {
    const file = await write(`${TABLE}
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO entries (description) SELECT 'Food number ' || i FROM n;`);
    const bytes = await readFile(file);
    const cut = await folder.write('cut.sqlite3', bytes.subarray(0, bytes.length / 2));
    await expect(collect(readSqlite(cut))).rejects.toThrow(/SQLite cannot read it \(.*malformed.*\)/);
  });

  test('has changes in a journal beside it', async () => {
    const file = await write(TABLE);
    await folder.write(`${files}.sqlite3-wal`, 'not empty');
    await expect(collect(readSqlite(file))).rejects.toThrow('holds changes that are not in it yet');
  });
});
