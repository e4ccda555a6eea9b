/**
 * The foods of one file, as they are served without an import.
 */
import type { FoodRecord } from '../food.ts';
import { type FileOptions, openFile } from './open-file.ts';
import { ImportReport } from './report/report.ts';

/**
 * Every row that has a description, in the order of the file. `report` is complete when the stream ends.
 * @throws UserError if the file is of no known kind, or contains something that cannot be read
 */
export async function* readFoods(
  file: string,
  report = new ImportReport(),
  options: FileOptions = {},
): AsyncGenerator<FoodRecord> {
  const source = report.source(file);
  const { kind, label, batches } = await openFile(file, options, source, report.today);
  source.kind = kind;
  source.label = label;
  for await (const batch of batches) {
    source.kept += batch.length;
    for (const { portions } of batch) source.portions += portions?.length ?? 0;
    yield* batch;
  }
}
