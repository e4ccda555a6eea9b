/**
 * Where an import goes: an index file, or a PostgreSQL database.
 */
import { writeWhileMade } from '../catalogs/index/index-file.ts';
import { replaceablePlace } from '../catalogs/index/replaceable-file.ts';
import type { LoadPhase } from '../catalogs/postgres/blocks.ts';
import type { ImportReport } from '../readers/report/report.ts';
import type { FileLabel } from '../search/index-format.ts';
import { type IndexSink, inMemory } from '../search/sections.ts';
import {
  isPostgresUrl,
  type PostgresUrl,
  parsePostgresUrl,
  shownPostgresUrl,
} from '../settings/postgres-url.ts';
import { parseInput, shown, WrongUse } from '../system/errors.ts';
import { commandName, hasScheme, quoted, serveDatabase } from '../system/paths.ts';

/** Makes an index, and passes it on in pieces as they are finished. */
type MakeIndex = (sink: IndexSink) => Promise<void>;

export interface ImportTarget {
  /** Without credentials. */
  readonly name: string;
  /** To be copied into a shell. */
  readonly serveCommand: string;
  /** Writes the index in one step, with its phases to the report; returns the bytes that it takes. @param make makes it */
  write(make: MakeIndex, label: FileLabel, report: ImportReport): Promise<number>;
  close(): Promise<void>;
}

const PHASES: Readonly<Record<LoadPhase, string>> = {
  foods: 'sending the foods',
  patterns: 'sending the texts that find them',
  words: 'sending their words',
  portions: 'sending their portions',
  indexes: 'making the indexes',
  checks: 'comparing answers',
  'removing the old data set': 'switched; removing the old data set',
};

export async function openTarget(to: string): Promise<ImportTarget> {
  if (isPostgresUrl(to)) return openDatabase(readPostgresUrl('--to', to));
  if (to === '-')
    throw new WrongUse('--to -: an index is not written to standard output. Name a file, such as foods.idx.');
  if (!hasScheme(to)) return openFile(to);
  throw new WrongUse(
    `--to ${shown(to)}: expected the path of an index file, or postgres://user:password@host/database.`,
  );
}

/** @throws WrongUse that names the argument, but not its value, which may contain a password */
export function readPostgresUrl(argument: string, text: string): PostgresUrl {
  return parseInput(`${argument}: the address`, () => parsePostgresUrl(text), WrongUse);
}

async function openFile(to: string): Promise<ImportTarget> {
  // Writing checks the file again: an import may take an hour.
  await replaceablePlace(to, `--to ${shown(to)}`);
  return {
    name: to,
    serveCommand: `${commandName()} serve --food-data ${quoted(to)}`,
    write: async (make, label, report) => {
      const { size, isDurable } = await writeWhileMade(to, label, async (sink) => {
        await make(sink);
        report.phase('writing the file');
      });
      if (!isDurable) {
        process.stderr.write(
          `Index file ${shown(to)}: it is in place, but its folder cannot be synced here: a power failure in the next minute may undo the change.\n`,
        );
      }
      return size;
    },
    close: async () => {},
  };
}

async function openDatabase(url: PostgresUrl): Promise<ImportTarget> {
  // Its libraries take a while to load, and an import into a file needs none of them.
  const { PostgresTarget } = await import('../catalogs/postgres/load.ts');
  const target = await PostgresTarget.open(url);
  const name = shownPostgresUrl(url);
  return {
    name,
    serveCommand: serveDatabase(name.replace('//', '//USER:PASSWORD@')),
    write: async (make, label, report) => {
      const index = await inMemory(make);
      return target.load(index, label, (phase, rows, share) => {
        report.phase(PHASES[phase]);
        if (rows > 0) report.progress(name, share, rows);
      });
    },
    close: () => target.close(),
  };
}
