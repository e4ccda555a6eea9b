import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import initSqlJs, { type SqlJsStatic } from 'sql.js';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type FoodRecord, fatOf, temporaryFolderVariable, type UserError } from '#core';
import { detectKind, readFoods } from '#tables';
import { casesOf } from '../support/cases.ts';
import { collect } from '../support/collect.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { foodOf, importSources, refusalOf } from '../support/import.ts';

const TABLE =
  'CREATE TABLE entries (id, description, kcal, protein_g, carbohydrate_g, fa_sat_g, fa_mono_g, fa_poly_g);';
const EGG_TABLE = `${TABLE} INSERT INTO entries (description) VALUES ('Egg');`;
const folder = temporaryFolder();
let sql: SqlJsStatic;

beforeAll(async () => {
  sql = await initSqlJs();
});

/** A database of another SQLite than the one under test. */
function databaseOf(script: string): Uint8Array {
  const db = new sql.Database();
  db.exec(script);
  const bytes = db.export();
  db.close();
  return bytes;
}

const write = (script: string): Promise<string> => folder.save(databaseOf(script), 'sqlite3');

const read = async (script: string): Promise<FoodRecord[]> =>
  collect(readFoods(await write(script), undefined, { nutrients: false }));

const errorOf = async (script: string): Promise<string> =>
  (await refusalOf([await write(script)])).replace(/^Data file ".*?"/, 'FILE');

test('a SQLite file is recognized by its content, whatever its name', async () => {
  expect(await detectKind(await write(TABLE))).toBe('sqlite');
});

test.each(
  casesOf(`
    a constraint is broken
      | UPDATE sqlite_schema SET sql = replace(sql, 'kcal', 'kcal NOT NULL')
    an index has an order of another program
      | UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'LOCALIZED')
  `),
)('a file without damage is read even if %s', async (_what, change) => {
  const index = 'CREATE INDEX i ON entries (description COLLATE NOCASE)';
  const foods = await read(`${EGG_TABLE} ${index}; PRAGMA writable_schema = 1; ${change}`);
  expect(foods.map(({ description }) => description)).toEqual(['Egg']);
});

test('a table with names of foods, whose key leads to them, is another table', async () => {
  const [food] = await read(`CREATE TABLE foods (food PRIMARY KEY, kcal, protein, carbs, fat);
    INSERT INTO foods VALUES ('Milk', 61, 3, 5, 3);
    CREATE TABLE synonyms (food REFERENCES foods (food), name); INSERT INTO synonyms VALUES ('Milk', 'Moo juice')`);
  expect(food).toMatchObject({ description: 'Milk', kcal: '61' });
  expect(food?.names).toBeUndefined();
});

test('every kind of number keeps its digits, and NULL is unknown', async () => {
  const [food] = await read(`${TABLE}
    INSERT INTO entries VALUES (1, 'Food', 9007199254740993, 51.368, '0.10', NULL, 1e-7, '');`);
  const figures = { protein_g: '51.368', carbohydrate_g: '0.1', fa_mono_g: '0.0000001' };
  expect(food).toEqual(foodOf('Food', { kcal: '9007199254740993', ...figures }));
});

test.each([
  ["VALUES ('c'), (NULL), ('a'), (''), ('b')", ['c', 'a', 'b']],
  [
    "VALUES ('Egg' || char(0) || 'raw'), (char(65279) || 'Crème brûlée 🍮'), (char(0))",
    ['Egg\0raw', '\ufeffCrème brûlée 🍮', '\0'],
  ],
])('descriptions are read in order, unless they are empty or NULL: %s', async (values, expected) => {
  const foods = await read(`${TABLE} INSERT INTO entries (description) ${values};`);
  expect(foods.map((food) => food.description)).toEqual(expected);
});

test('a column of popularity may have any kind of number, and NULL is unknown', async () => {
  const foods = await read(`${TABLE} ALTER TABLE entries ADD popularity;
    INSERT INTO entries (description, popularity)
    VALUES ('a', 12), ('b', NULL), ('c', 0.5), ('d', '7'), ('e', 1e300), ('f', '');`);
  expect(foods.map(({ popularity }) => popularity)).toEqual([12, undefined, 0.5, 7, 1e300, undefined]);
});

test('a file in write-ahead-log mode is read', async () => {
  const bytes = databaseOf(EGG_TABLE);
  bytes.fill(2, 18, 20); // the two version bytes that mean "write-ahead log"
  const file = await folder.write('wal.sqlite3', bytes);
  expect(await collect(readFoods(file))).toMatchObject([{ description: 'Egg' }]);
});

it.each([512, 65_536])('pages may have %i bytes, and more bytes may follow', async (size) => {
  const file = await write(`PRAGMA page_size = ${size}; ${EGG_TABLE}`);
  const bytes = Buffer.concat([await readFile(file), Buffer.alloc(100)]);
  const longer = await folder.write('longer.sqlite3', bytes);
  for (const each of [file, longer]) expect(await collect(readFoods(each))).toHaveLength(1);
});

test('nothing is written beside the file, and an old lock is ignored', async () => {
  await mkdir(folder.path('alone'));
  const file = await folder.write('alone/foods.db', databaseOf(EGG_TABLE));
  await mkdir(`${file}.lock`);
  expect(await collect(readFoods(file))).toHaveLength(1);
  expect(await readdir(dirname(file))).toEqual(['foods.db', 'foods.db.lock']);
});

describe('a reader of SQLite', () => {
  // On Windows the folder stays until the process has ended.
  test.skipIf(process.platform === 'win32')('leaves nothing behind when it is killed', async () => {
    await mkdir(folder.path('tmp'));
    const file = await write(`${TABLE} INSERT INTO entries (description) VALUES ('Egg'), ('Milk');`);
    const script = `
      import { readFoods } from './dist/tables/read-foods.js';
      for await (const _ of readFoods(${JSON.stringify(file)})) process.kill(process.pid, 'SIGKILL');`;
    const env = { ...process.env, [temporaryFolderVariable()]: folder.path('tmp') };
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(signal).toBe('SIGKILL');
    expect(await readdir(folder.path('tmp'))).toEqual([]);
  });

  test.each(['/nowhere', '/dev/null'])('reports the unusable temporary folder %s', async (place) => {
    const file = await write(TABLE);
    const to = folder.path('x.idx');
    const { code, stderr } = await run(['import', file, '--to', to], { [temporaryFolderVariable()]: place });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^food-lookup: Temporary folder "[^"]+" cannot be written \(\w+\), which reading SQLite files needs\. Name another folder with (TMPDIR|TEMP)\.\n$/,
    );
  });
});

describe('a SQLite file is refused, with the place of the fault, if it', () => {
  it.each(
    casesOf(`
      has no table entries | CREATE TABLE foods (a)
        | FILE: there is no table entries, and no other has columns of foods; it has "foods".
      lacks columns | CREATE TABLE entries (description, kcal)
        | FILE, table entries: the header lacks carbohydrate_g, protein_g
      has a view that cannot be read
        | ${TABLE.replace('entries', 'foods')} CREATE VIEW entries AS SELECT *, nowhere(kcal) FROM foods;
        | FILE: SQLite cannot read it (no such function: nowhere). Try PRAGMA integrity_check on it.
      has bytes that are no text as description | ${TABLE} INSERT INTO entries (description) VALUES (x'ff')
        | FILE, table entries, row 1, column description: "255" is not a text.
    `),
  )('%s', async (_what, script = '', message = '') => expect(await errorOf(script)).toContain(message));

  it.each([
    ['fa_sat_g', '9e999', 'Infinity'],
    ['kcal', "x'0102'", '1,2'],
    ['kcal', "'1' || char(0) || '5'", '1\\u00005'],
    ['popularity', '9e999', 'Infinity'],
    ['popularity', "x'31'", '49'],
  ])('has the %s %s', async (column, value, shown) => {
    const script = `${TABLE} ALTER TABLE entries ADD popularity;
      INSERT INTO entries (description, ${column}) VALUES ('a', 1), ('b', ${value})`;
    const fault = `FILE, table entries, row 2, column ${column}: "${shown}" is not a plain decimal number`;
    expect(await errorOf(script)).toContain(fault);
  });

  const MANY = `${TABLE}
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO entries (description, fa_sat_g) SELECT 'Food number ' || i, 37.77 FROM n;`;

  it.each([1, 100, 600, 4096, 80_000])('lacks its last %i bytes', async (missing) => {
    const bytes = await readFile(await write(MANY));
    const cut = await folder.write('cut.sqlite3', bytes.subarray(0, -missing));
    const sentence = `the file is truncated: it has ${bytes.length - missing} bytes, but its pages need ${bytes.length}.`;
    await expect(collect(readFoods(cut))).rejects.toThrow(sentence);
  });

  test('lacks its end, and the number of pages in its header, or ends within that', async () => {
    const bytes = await readFile(await write(MANY));
    bytes.fill(0, 92, 96); // the change counter for which the number of pages is valid
    expect(await collect(readFoods(await folder.save(bytes)))).toHaveLength(5000);
    expect(await refusalOf([await folder.save(bytes.subarray(0, -100))])).toContain('the file is truncated');
    const within = await refusalOf([await folder.save(bytes.subarray(0, 60))]);
    expect(within).toContain('it has 60 bytes, but its pages need 100');
  });

  test('has a damaged page, whose foods SQLite would leave out', async () => {
    const bytes = await readFile(await write(MANY));
    const page = 4096 + bytes.subarray(4096).findIndex((byte, at) => at % 4096 === 0 && byte === 13);
    expect(page % 4096).toBe(0);
    // Two cells fewer on a leaf of the table.
    bytes.writeUInt16BE(bytes.readUInt16BE(page + 3) - 2, page + 3);
    const damaged = await folder.write('damaged.sqlite3', bytes);
    const db = new sql.Database(bytes);
    expect(db.exec('SELECT count(*) FROM entries')[0]?.values).toEqual([[4998]]);
    db.close();
    await expect(collect(readFoods(damaged))).rejects.toThrow(
      /damaged\.sqlite3": it is damaged: .+ page \d+\. Copy or download it again, or rescue what is left: sqlite3 OLD \.recover \| sqlite3 NEW$/,
    );
  });

  it.each(['UTF-16le', 'UTF-16be'])('has its text in %s', async (encoding) => {
    expect(await errorOf(`PRAGMA encoding = '${encoding}'; ${TABLE}`)).toBe(
      'FILE: its text is in UTF-16, which is not read. Make a copy in UTF-8: sqlite3 OLD .dump | sqlite3 NEW',
    );
  });

  it.each(['description', 'kcal'])('has text that is not UTF-8 as %s', async (column) => {
    const script = `${TABLE} INSERT INTO entries (description) VALUES ('Crème'), ('Egg');
      UPDATE entries SET ${column} = CAST(x'4372e86d65' AS TEXT) WHERE description = 'Egg'`;
    const fault = `column ${column}: the text "Cr\ufffdme" is not UTF-8. Store it as UTF-8.`;
    expect(await errorOf(script)).toBe(`FILE, table entries, row 2, ${fault}`);
  });

  test('has changes in a journal beside it', async () => {
    const file = await write(TABLE);
    await writeFile(`${file}-wal`, 'not empty');
    await expect(collect(readFoods(file))).rejects.toThrow('has changes that are not in the file yet');
  });
});

describe("a user's own table", () => {
  const EGG = { description: 'Egg', kcal: '142.93', protein_g: '12.6', carbohydrate_g: '0.7' };

  const INSERTED = "INSERT INTO foods VALUES ('Egg', 142.93, 12.6, 0.7, 9.5)";
  it.each(
    casesOf(`
      has names in any case | CREATE TABLE Foods (NAME, KCAL, Protein_G, Carbohydrate_g, FAT); ${INSERTED}
      has another name and other columns
        | CREATE TABLE "my ""foods""" (id INTEGER PRIMARY KEY, "Food Name" TEXT, "Energy (kJ)" REAL, protein REAL, carbs, fat);
        CREATE TABLE log (at, what); INSERT INTO "my ""foods""" VALUES (1, 'Egg', 598, 12.6, 0.7, 9.5)
      is a view named entries
        | CREATE TABLE f (n, e); INSERT INTO f VALUES ('Egg', 142.93);
        CREATE VIEW Entries AS SELECT n AS name, e AS calories, 12.6 AS protein, 0.7 AS carbs, 9.5 AS fat FROM f
      has generated columns
        | CREATE TABLE foods (name, kj, protein, carbs, fat, kcal AS (round(kj / 4.184, 2)) VIRTUAL);
        INSERT INTO foods VALUES ('Egg', 598, 12.6, 0.7, 9.5)
      has stored generated columns
        | CREATE TABLE foods (name, calories AS (142.93) STORED, protein, carbs, fat);
        INSERT INTO foods VALUES ('Egg', 12.6, 0.7, 9.5)
      is beside a diary
        | CREATE TABLE entries (id, day, product_id, amount, kcal); INSERT INTO entries VALUES (1, '1 May', 1, 40, 57);
        CREATE TABLE foods (name, kcal, protein, carbs, fat); ${INSERTED}
      is beside a diary with figures and a view of few columns
        | CREATE TABLE Entries (date, meal, food, kcal, protein, carbs, fat, amount);
        INSERT INTO Entries VALUES ('1 May', 'Lunch', 'Bar', 1, 1, 1, 1, 40); CREATE VIEW a AS SELECT name, kcal FROM foods;
        CREATE TABLE foods (name, kcal, protein, carbs, fat); ${INSERTED}
      is WITHOUT ROWID
        | CREATE TABLE foods (name PRIMARY KEY, calories, protein, carbs, fat) WITHOUT ROWID; ${INSERTED}
      has texts as figures, with blanks
        | CREATE TABLE foods (name, calories, protein, carbs, fat);
        INSERT INTO foods VALUES ('Egg', ' 142.93 ', '12.6', '7e-1', '9.5')
    `),
  )('%s', async (_what, script = '') => {
    const [food] = await read(script);
    expect(food).toMatchObject(EGG);
    expect(food && fatOf(food)).toBe('9.50');
  });

  test('must be named if there are several', async () => {
    const two =
      "CREATE TABLE a (name, kcal, protein, carbs, fat); CREATE VIEW b AS SELECT * FROM a; INSERT INTO a VALUES ('Egg', 1, 2, 3, 4)";
    expect(await errorOf(two)).toBe(
      'FILE: there is no table entries, and several have columns of foods: a, b. Name one: --table a',
    );
    const file = await write(two);
    const { foods, report } = await importSources([file], { table: 'b' });
    expect(foods).toMatchObject([{ description: 'Egg', kcal: '1' }]);
    expect(report.sources[0]?.kind).toBe('SQLite');
    expect(await refusalOf([file], { table: 'food' })).toContain('there is no table food; it has "a, b".');
  });

  test('must be named if several are beside a diary, and is reported otherwise', async () => {
    const diary = 'CREATE TABLE entries (day, kcal); CREATE TABLE a (name, kcal, protein, carbs, fat);';
    expect(await errorOf(`${diary} CREATE TABLE b AS SELECT * FROM a`)).toBe(
      'FILE: there is no table entries of foods, and several have columns of foods: a, b. Name one: --table a',
    );
    const { report } = await importSources([await write(diary)]);
    expect(report.lines()[0]).toContain('(SQLite, table "a" rather than "entries")');
  });

  test('may name a food by a number, and leaves out what has no name', async () => {
    const foods = await read(
      "CREATE TABLE foods (name, kcal, protein, carbs, fat); INSERT INTO foods VALUES (1664, 45, 0, 3, 0), ('-', 1, 1, 1, 0), ('n/a', 1, 1, 1, 0), ('Nan', 300, 9, 50, 6)",
    );
    expect(foods.map(({ description }) => description)).toEqual(['1664', 'Nan']);
  });

  test('lists the faults of all its rows', async () => {
    const error = await read(
      "CREATE TABLE foods (name, kcal, protein, carbs, fat); INSERT INTO foods VALUES ('a', 'x', 1, 1, 1), ('b', 1, 1, '1,5', 1), (x'ff', 1, 1, 1, 1)",
    ).catch((reason: unknown) => reason);
    expect((error as UserError).details).toEqual([
      '  row 1, column kcal: "x" is not a plain decimal number such as 1.5',
      '  row 2, column "carbs": "1,5" is not a plain decimal number such as 1.5. Write a decimal point where commas separate the cells.',
      '  row 3, column "name": "255" is not a text. Store it as text.',
    ]);
  });
});
