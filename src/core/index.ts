/**
 * What all parts agree on: what a food is, decimals without rounding, which texts are equal, and errors that users can fix.
 * Nothing here reads, writes or waits, and all of it but the clock runs in a browser.
 */

// What answers searches, whether an index or a database.

export {
  ANSWERS_VERSION,
  type CatalogEvents,
  type DataSet,
  type DataSetLabel,
  type FactName,
  type FoodCatalog,
  type FoundAnswer,
  INDEX_MAGIC,
  type NamePair,
  NO_OTHER_NAMES,
  type OtherName,
  type OtherNames,
  type Replacement,
  type WordsAnswer,
  type WordsReading,
} from './catalog.ts';
export { wordHeaders } from './word-headers.ts';

// Foods: figures in g or kcal per 100 g, as text.

export {
  BILLION,
  billionthsOf,
  canonicalDecimal,
  decimalOfBillionths,
  decimalOfExponent,
  decimalOfNumber,
  divideRounded,
  floatOf,
  multiplyDecimals,
  scaleDecimal,
  subtractDecimals,
  sumToTwoDigits,
} from './decimal.ts';
export {
  asTotalFat,
  ENTRY_BEGINNING,
  FATTY_ACIDS,
  FIGURE_COLUMNS,
  type FigureColumn,
  FOOD_COLUMNS,
  type FoodEntry,
  type FoodRecord,
  fatOf,
  MAX_DESCRIPTION,
  MAX_ENTRIES,
  type Nutrient,
  type Portion,
  popularityOf,
  readEntry,
  renderEntry,
  renderFields,
  type Translation,
} from './food.ts';
export { foodCodeOf, hasCheckDigit } from './food-code.ts';
export { furtherLanguage, isOwnLanguage } from './languages.ts';
// Texts: `fold` makes those equal that a search does not distinguish.

export { composed, fold } from './fold.ts';
export { editsOf, PLAIN_LETTERS } from './spelling.ts';
export {
  hasSurrogates,
  putUtf8,
  textOfUtf8,
  utf8,
  utf8Length,
  utf8Positions,
} from './utf8.ts';
// Binary search, sums of texts, and tables by them.

export { firstWhere, isPartition, lowerBound } from './binary-search.ts';
export { FNV_OFFSET, hashOfText, hashWith } from './fnv.ts';
export { Growing, growingNumbers } from './growing.ts';
export { firstSlot, NONE } from './hash-slots.ts';
export { KeyTable, keyOf, TextKey } from './key-table.ts';
// Messages.

export {
  parseInput,
  shown,
  systemCode,
  Unavailable,
  UnusableText,
  UserError,
  WRONG_USE,
  WrongUse,
  withoutPassword,
} from './errors.ts';
export {
  commandName,
  flagOf,
  hasScheme,
  hiddenFolders,
  isFileName,
  onceFree,
  passwordFile,
  quoted,
  serveDatabase,
  settingShown,
  temporaryFolderVariable,
} from './paths.ts';
export { amount, counted, printable, printableLines } from './printable.ts';
export { WorkClock } from './work-clock.ts';
