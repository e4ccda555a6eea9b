/** SQLite as the common alternative, installed into tmp/peers when a benchmark needs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fold, MAX_ENTRIES } from '#core';

const FOLDER = resolve('tmp/peers');

/** The first call installs it: minutes, because it is compiled. */
function requireSqlite(): new (file: string) => Sqlite {
  if (!existsSync(`${FOLDER}/node_modules/better-sqlite3`)) {
    mkdirSync(FOLDER, { recursive: true });
    const manifest = { private: true, allowScripts: { 'better-sqlite3': true } };
    writeFileSync(`${FOLDER}/package.json`, JSON.stringify(manifest));
    execFileSync('npm', ['install', 'better-sqlite3@12'], { cwd: FOLDER, stdio: 'inherit' });
  }
  return createRequire(`${FOLDER}/package.json`)('better-sqlite3');
}

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: unknown[]): unknown[]; run(...values: unknown[]): unknown };
}

/**
 * SQLite with LIKE, which scans all descriptions, and with a trigram index, and the seconds to build that. Descriptions and texts
 * are folded as in the service: LIKE ignores the case of ASCII only, and the trigram tokenizer folds too much. Each has the length
 * of the shortest text that it can search for, how many different texts it is measured with, and a search that counts foods.
 */
export function sqlitePeers(descriptions: readonly string[]) {
  const Database = requireSqlite();
  const folded = descriptions.map(fold);
  const started = performance.now();
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE foods (description TEXT);
    CREATE VIRTUAL TABLE trigrams USING fts5(description, tokenize = 'trigram case_sensitive 1', detail = 'full');
    BEGIN`);
  const insert = db.prepare('INSERT INTO foods VALUES (?)');
  for (const description of folded) insert.run(description);
  db.exec('INSERT INTO trigrams(rowid, description) SELECT rowid, description FROM foods; COMMIT');
  const trigramSeconds = (performance.now() - started) / 1000;
  const like = db.prepare(
    `SELECT rowid FROM foods WHERE description LIKE ? ESCAPE '\\' LIMIT ${MAX_ENTRIES}`,
  );
  const match = db.prepare(`SELECT rowid FROM trigrams WHERE trigrams MATCH ? LIMIT ${MAX_ENTRIES}`);
  const peers = [
    {
      name: 'SQLite FTS5 trigram, unranked',
      leastLength: 3,
      texts: 10_000,
      search: (text: string) => match.all(`"${fold(text).replaceAll('"', '""')}"`).length,
    },
    {
      name: 'SQLite LIKE, unranked',
      leastLength: 1,
      texts: 300,
      search: (text: string) => like.all(`%${fold(text).replace(/[\\%_]/g, '\\$&')}%`).length,
    },
  ];
  return { peers, trigramSeconds };
}
