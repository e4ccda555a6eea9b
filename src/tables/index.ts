/**
 * Tables into foods: any file, public data set or address that an import is given, and a report of what was read, repaired and
 * left out. Public data is read leniently, users' own tables strictly. The foods come in batches, so that a data set may be
 * larger than memory; what a user can mend is thrown as UserError with the place in the file.
 */
export { detectKind } from './bytes/file-kind.ts';
export { dataFile, unreadable } from './bytes/streams.ts';
export { readNamePairs, readTranslations } from './names-file.ts';
export { columnOptions, openSources, type ReadOptions, readFoods } from './read-foods.ts';
export { ABBREVIATED_28 } from './report/labels.ts';
export { ImportReport } from './report/report.ts';
export type { Progress } from './report/source-report.ts';
