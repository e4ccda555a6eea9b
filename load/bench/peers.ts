/** The common alternatives, installed into build/peers when a benchmark needs them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { MAX_ENTRIES } from '../../src/foods/food.ts';
import { fold } from '../../src/text/fold.ts';

const FOLDER = resolve('build/peers');

/** Returns the folder of the peers, and installs them on the first call: minutes, because SQLite is compiled. */
export function installPeers(): string {
  if (!existsSync(`${FOLDER}/node_modules/minisearch`)) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(
      `${FOLDER}/package.json`,
      JSON.stringify({ private: true, allowScripts: { 'better-sqlite3': true } }),
    );
    const peers = ['better-sqlite3@12', 'minisearch@7'];
    execFileSync('npm', ['install', ...peers], { cwd: FOLDER, stdio: 'inherit' });
  }
  return FOLDER;
}

interface Statement {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): unknown;
}
interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  transaction<Arguments extends unknown[]>(
    work: (...given: Arguments) => void,
  ): (...given: Arguments) => void;
}

export interface Peer {
  readonly name: string;
  /** Length of the shortest text that it can search for. */
  readonly leastLength: number;
  /** Returns the number of foods found, at most MAX_ENTRIES. */
  search(text: string): number;
}

/** Creates a table of the folded descriptions in memory, with a trigram index. */
export function buildTrigrams(descriptions: readonly string[]) {
  const Database = createRequire(`${installPeers()}/package.json`)('better-sqlite3') as new (
    file: string,
  ) => Sqlite;
  const folded = descriptions.map(fold);
  const started = performance.now();
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE foods (description TEXT);
    CREATE VIRTUAL TABLE trigrams USING fts5(description, tokenize = 'trigram case_sensitive 1', detail = 'full');`);
  const insert = db.prepare('INSERT INTO foods VALUES (?)');
  db.transaction((all: readonly string[]) => {
    for (const description of all) insert.run(description);
    db.exec('INSERT INTO trigrams(rowid, description) SELECT rowid, description FROM foods');
  })(folded);
  return { db, seconds: (performance.now() - started) / 1000 };
}

/**
 * SQLite with LIKE, and SQLite with a trigram index. Descriptions and texts are folded as in the
 * service: LIKE ignores the case of ASCII only, and the trigram tokenizer folds too much.
 */
export function createPeers(descriptions: readonly string[]): Peer[] {
  const { db } = buildTrigrams(descriptions);
  const like = db.prepare(
    `SELECT rowid FROM foods WHERE description LIKE ? ESCAPE '\\' LIMIT ${MAX_ENTRIES}`,
  );
  const match = db.prepare(`SELECT rowid FROM trigrams WHERE trigrams MATCH ? LIMIT ${MAX_ENTRIES}`);
  return [
    {
      name: 'SQLite FTS5 trigram, unranked',
      leastLength: 3,
      search: (text) => match.all(`"${fold(text).replaceAll('"', '""')}"`).length,
    },
    {
      name: 'SQLite LIKE, unranked',
      leastLength: 1,
      search: (text) => like.all(`%${fold(text).replace(/[\\%_]/g, '\\$&')}%`).length,
    },
  ];
}
