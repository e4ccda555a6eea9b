/** Real data beside the project, which is too large or not ours to publish. */
import { resolve } from 'node:path';

export const SHARED = resolve('../shared');
export const SR28_CSV = `${SHARED}/data/sr28.csv`;
export const SR28_SQLITE = `${SHARED}/data/usda-nnd.sqlite3`;
/** Survey foods of USDA. */
export const SURVEY_CSV = `${SHARED}/data/languages/fndds.csv`;
/** Branded products of Open Food Facts. */
export const PRODUCTS = `${SHARED}/data/off-2019.csv.gz`;
