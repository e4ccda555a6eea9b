/**
 * `food-lookup import`: a data file in, an index file out, which the service opens at once.
 */
import { resolve } from 'node:path';
import { writeIndexFile } from '../catalogs/index-file.ts';
import { shown, UserError } from '../errors.ts';
import type { BuildPhase } from '../search/index-builder.ts';
import { IndexBuilder } from '../search/index-builder.ts';
import { labelOf, readRecords } from './open-catalog.ts';
import { duration, Progress } from './progress.ts';

export interface ImportFlags {
  readonly to: string;
  readonly name?: string;
}

/** Rows between two looks at the clock. */
const ROWS_PER_UPDATE = 1000;

const PHASES: Readonly<Record<BuildPhase, string>> = {
  scoring: 'scoring the foods',
  'sorting foods': 'putting the foods in order',
  'sorting suffixes': 'sorting all parts of their descriptions',
  'filling the index': 'filling the index',
};

/** @throws UserError for what the user can mend; a file at the target stays as it was */
export async function importFoods(source: string, { to, name }: ImportFlags): Promise<void> {
  if (resolve(source) === resolve(to))
    throw new UserError(`--to ${shown(to)} is the source itself. Name another file.`);
  const started = Date.now();
  const progress = new Progress();
  try {
    let share = 0;
    const records = await readRecords(source, (done) => {
      share = done;
    });
    const label = await labelOf(source);
    const builder = new IndexBuilder();
    let leftOut = 0;
    for await (const record of records) {
      if (record.description === '') leftOut++;
      else builder.add(record);
      if ((builder.size + leftOut) % ROWS_PER_UPDATE === 0) progress.update(share, builder.size + leftOut);
    }
    const foods = builder.size;
    const index = builder.finish((phase) => progress.phase(PHASES[phase]));
    progress.phase('writing the file');
    const size = await writeIndexFile(to, index, { ...label, name: name ?? label.name, leftOut });
    const rows = leftOut > 0 ? `, ${leftOut.toLocaleString('en')} rows without a description left out` : '';
    process.stdout.write(
      `${to}: ${foods.toLocaleString('en')} foods${rows}, ${(size / 1e6).toFixed(1)} MB, in ${duration(Date.now() - started)}\n` +
        `To serve it: FOOD_DATA=${to} food-lookup serve\n`,
    );
  } finally {
    progress.stop();
  }
}
