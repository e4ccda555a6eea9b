/**
 * Where an import goes: an index file, or a PostgreSQL database.
 */
import { indexFileAt, writeIndexFile } from '../catalogs/index/index-file.ts';
import type { LoadPhase } from '../catalogs/postgres/blocks.ts';
import { PostgresTarget } from '../catalogs/postgres/load.ts';
import { parseInput, shown, UserError } from '../errors.ts';
import type { FileLabel } from '../search/index-format.ts';
import type { IndexSections } from '../search/sections.ts';
import {
  isPostgresUrl,
  type PostgresUrl,
  parsePostgresUrl,
  shownPostgresUrl,
} from '../settings/postgres-url.ts';
import type { ProgressDisplay } from './progress.ts';

/** Who is told how far an import is. */
export type ImportSteps = Pick<ProgressDisplay, 'phase' | 'update'>;

export interface ImportTarget {
  /** Without credentials. */
  readonly name: string;
  /** What `FOOD_DATA` is set to, to serve it. */
  readonly foodData: string;
  /** Writes all of it in one step; returns the bytes that it takes. */
  write(index: IndexSections, label: FileLabel, steps: ImportSteps): Promise<number>;
  close(): Promise<void>;
}

const PHASES: Readonly<Record<LoadPhase, string>> = {
  foods: 'sending the foods',
  patterns: 'sending the texts that find them',
  indexes: 'making the indexes',
  checks: 'comparing answers',
  'removing the old data set': 'switched; removing the old data set',
};

/** @throws UserError where nothing can be written there, or a file is there that is no index */
export async function openTarget(to: string): Promise<ImportTarget> {
  if (isPostgresUrl(to)) return openDatabase(readPostgresUrl('--to', to));
  if (to === '-')
    throw new UserError(
      '--to -: an index is not written to standard output. Name a file, such as foods.idx.',
    );
  if (!to.includes('://')) return openFile(to);
  throw new UserError(
    `--to ${shown(to)}: expected the path of an index file, or postgres://user:password@host/database.`,
  );
}

/** @throws UserError that names the argument, but not its value, which may hold a password */
export function readPostgresUrl(argument: string, text: string): PostgresUrl {
  return parseInput(`${argument}: the address`, () => parsePostgresUrl(text));
}

async function openFile(to: string): Promise<ImportTarget> {
  // The file itself is looked for again when it is written: an import may take an hour.
  await indexFileAt(to, `--to ${shown(to)}`);
  return {
    name: to,
    foodData: to,
    write: async (index, label, steps) => {
      steps.phase('writing the file');
      const { size, isDurable } = await writeIndexFile(to, index, label);
      if (!isDurable) {
        process.stderr.write(
          `Index file ${shown(to)}: it is in place, but its folder cannot be synced here: a power failure in the next minute may bring back what was there before.\n`,
        );
      }
      return size;
    },
    close: async () => {},
  };
}

async function openDatabase(url: PostgresUrl): Promise<ImportTarget> {
  const target = await PostgresTarget.open(url);
  const name = shownPostgresUrl(url);
  return {
    name,
    foodData: name.replace('//', '//USER:PASSWORD@'),
    write: (index, label, steps) => {
      let current: LoadPhase | undefined;
      return target.load(index, label, (phase, rows, share) => {
        if (phase !== current) steps.phase(PHASES[phase]);
        current = phase;
        if (rows > 0) {
          steps.update({ source: name, phase: PHASES[phase], bytes: share, totalBytes: 1, rows });
        }
      });
    },
    close: () => target.close(),
  };
}
