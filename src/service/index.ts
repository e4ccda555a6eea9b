/**
 * The service: settings, HTTP, operations, catalogs of files, and the commands, which `bin/food-lookup.js` runs by
 * `cli/main.ts`. What is exported here is for tests and benchmarks; everything else comes in by the command line.
 */

export { readIndexFile, writeWhileMade } from './catalogs/index-file.ts';
export { LiveCatalog } from './catalogs/live.ts';
export { indexAsSource, MemoryCatalog } from './catalogs/memory.ts';
export {
  openCatalog,
  readEverydayFoods,
  readOtherNames,
  readStarterFoods,
  STARTER_INDEX,
} from './cli/open-catalog.ts';
export { readSettings, type Settings } from './settings/settings.ts';
