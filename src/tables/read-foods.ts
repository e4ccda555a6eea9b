/** The foods of everything that `food-lookup import` is given, or of one file that is served without an import. */
import { canonicalDecimal, type FoodRecord, MAX_DESCRIPTION, shown, WrongUse } from '#core';
import { checkNames, type FetchOptions, fetchSource } from './fetch/fetch-source.ts';
import { equalityKey, TextSet } from './food/equality.ts';
import { readOwnNames } from './names-file.ts';
import { type FileOptions, openFile } from './open-file.ts';
import { CHOSEN_FIELDS, type ChosenField, type ColumnOptions, fieldNamed } from './own/candidates.ts';
import { ImportReport } from './report/report.ts';
import type { SourceReport } from './report/source-report.ts';

export interface ReadOptions extends FetchOptions, FileOptions {
  /** A table of further names of the foods. */
  readonly names?: string;
}

/** The foods of one file, in its order, of equal ones the first. `report` is complete when the stream ends. @throws UserError */
export async function* readFoods(
  file: string,
  report = new ImportReport(),
  options: FileOptions = {},
): AsyncGenerator<FoodRecord> {
  const source = report.source(file);
  const seen = new TextSet();
  for await (const batch of openFile(file, options, source, report.today)) yield* kept(batch, seen, source);
}

/**
 * The foods of all sources in order, of equal ones the first, in batches: awaiting each of millions takes as long as reading
 * some of them. `report` is correct at any time.
 * @param sourceNames of releases, files and folders, addresses, or `-`: standard input
 * @throws UserError before the first food if a source is missing
 */
export async function* openSources(
  sourceNames: readonly string[],
  options: ReadOptions,
  report: ImportReport,
): AsyncGenerator<FoodRecord[]> {
  checkNames(sourceNames, options);
  const sources = sourceNames.map((name) => report.source(name));
  const files: string[] = [];
  // Fetches all sources first, so that a missing one is reported before hours are spent.
  for (const source of sources) files.push(await fetchSource(source, options));
  const names = options.names === undefined ? undefined : await readOwnNames(options.names);
  report.names = names;
  const seen = new TextSet();
  for (const [i, source] of sources.entries()) {
    try {
      for await (const batch of openFile(files[i] ?? '', options, source, report.today)) {
        const foods = kept(names ? batch.map((food) => names.addTo(food)) : batch, seen, source);
        const reading = source.phaseName;
        source.phase('index');
        yield foods;
        source.phase(reading);
      }
    } finally {
      source.phase('');
    }
  }
}

const TOO_LONG = `description of more than ${MAX_DESCRIPTION.toLocaleString('en')} characters`;

/**
 * The foods of a batch that are not equal to an earlier one; both kinds are counted, and so are those with too long a
 * description, which a user's own table may not have at all. An equal food leaves its codes. @param seen the earlier foods
 */
function kept(batch: readonly FoodRecord[], seen: TextSet, source: SourceReport): FoodRecord[] {
  const foods: FoodRecord[] = [];
  const furtherCodes: FoodRecord[] = [];
  for (const food of batch) {
    if (food.description.length > MAX_DESCRIPTION) {
      source.dropped.add(TOO_LONG, () => shown(food.description));
      continue;
    }
    const { size } = seen;
    const number = seen.numberOf(equalityKey(food));
    if (number === size) foods.push(food);
    else {
      source.duplicates.add('of an equal food', () => food.description);
      if (food.codes !== undefined) furtherCodes.push({ ...food, codesOf: number });
    }
  }
  source.kept += foods.length;
  for (const { description, portions = [], names = [], nutrients = [], translations = [] } of foods) {
    source.portions += portions.length;
    source.nutrients += nutrients.length;
    source.names += names.length;
    for (const { language } of translations) {
      source.translations ??= {};
      source.translations[language] = (source.translations[language] ?? 0) + 1;
    }
    if (names.length > 0 && source.namedFoods++ === 0)
      source.nameExample = `${shown(names[0] ?? '')} for ${shown(description)}`;
  }
  foods.push(...furtherCodes);
  for (const { codes = [] } of foods) source.codes += codes.length;
  return foods;
}

/** The options of `--column` and `--per`, which concern users' own tables. @throws WrongUse */
export function columnOptions(columns: readonly string[], per: string | undefined): ColumnOptions {
  const parsed = columns.map(parseColumn);
  const chosen = parsed.map(([field]) => field);
  const twice = chosen.find((field, i) => chosen.indexOf(field) < i);
  if (twice !== undefined) throw new WrongUse(`--column ${twice}=… is given twice: name one column.`);
  if (chosen.includes('kcal') && chosen.includes('kJ'))
    throw new WrongUse('--column kcal=… and --column kJ=… both name the energy: name one column.');
  return {
    columns: new Map(parsed),
    ...(per === undefined ? {} : { per: parsePer(per) }),
  };
}

/** `kcal=Energy (kJ)`; nothing after `=` means that there is no such column. */
function parseColumn(text: string): [ChosenField, string] {
  const [, name = '', heading = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const field = fieldNamed(name);
  if (field !== undefined) return [field, heading];
  throw new WrongUse(
    `--column ${shown(text)} cannot be used: expected FIELD=HEADING, such as kcal="Energy (kcal)". The fields: ${CHOSEN_FIELDS.join(', ')} and so on.`,
  );
}

function parsePer(text: string): string {
  const [, amount = ''] = /^\s*(\d+(?:[.,]\d+)?)\s*(?:g|ml)?\s*$/i.exec(text) ?? [];
  const grams = canonicalDecimal(amount.replace(',', '.'));
  if (grams !== undefined && grams !== '0') return grams;
  throw new WrongUse(
    `--per ${shown(text)} cannot be used: expected the weight that the figures are for, such as 30g.`,
  );
}
