/**
 * Opens what `food-lookup import` is given, whatever it is, as one stream of foods.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DataSetLabel } from '../catalog.ts';
import { UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { type Archive, openFolder } from './bytes/archive.ts';
import { fileKind, isEnoughToTell, KIND_NAMES, type TextKind, textKind } from './bytes/kinds.ts';
import { type Bytes, dataFile, fileBytes, gunzip, type Peeked, peek } from './bytes/streams.ts';
import { openZip } from './bytes/zip.ts';
import { checkNames, fetchSource } from './downloads/fetch-source.ts';
import type { IndexContent, Progress, ReadOptions } from './report/read-options.ts';
import { ABBREVIATED, dateInName, OPEN_FOOD_FACTS_CREDIT, USDA_CREDIT } from './report/releases.ts';
import type { ImportReport, SourceReport } from './report/report.ts';
import { identityOf, TextSet } from './rules/hash-table.ts';
import { readAbbreviated } from './sources/abbreviated.ts';
import { readOpenFoodFacts } from './sources/open-food-facts.ts';
import { readOpenFoodFactsJson } from './sources/open-food-facts-json.ts';
import { FOOD_TABLE, readUsda, usdaBytes } from './sources/usda.ts';
import { readCsvBytes } from './tables/csv.ts';
import { readSqlite } from './tables/sqlite.ts';
import type { Advance } from './tables/table.ts';

export type { Progress, ReadOptions };

/** A source that was told apart and is ready to be read. */
interface Opened {
  readonly kind: string;
  readonly label: DataSetLabel;
  readonly batches: AsyncIterable<FoodRecord[]>;
}

/**
 * The foods of all sources, in the order in which they are given: of equal foods (the folded description and the
 * figures of an answer) the first stays. What was done is in `report` when the stream ends, and correct at any time before.
 *
 * A source is `-` (standard input), a name such as `usda:foundation`, an `http:` or `https:` address, a folder or
 * a file.
 * @throws UserError before the first food where a source is missing or of no known kind, later where it is damaged
 */
export async function* openSources(
  names: readonly string[],
  options: ReadOptions,
  report: ImportReport,
): AsyncGenerator<FoodRecord> {
  checkNames(names, options);
  const sources = names.map((name) => report.source(name));
  const files: string[] = [];
  // All are fetched first, so that what is missing is told before hours are spent.
  for (const source of sources) files.push(await fetchSource(source.name, options, source));
  const seen = new TextSet();
  for (const [i, source] of sources.entries()) {
    try {
      const opened = await open(files[i] ?? '', options, report, source);
      source.kind = opened.kind;
      source.label = opened.label;
      for await (const batch of opened.batches) {
        options.signal?.throwIfAborted();
        for (const food of batch) {
          if (!seen.add(identityOf(food))) {
            source.duplicates.add('of an equal food', () => food.description);
            continue;
          }
          source.kept++;
          source.lend();
          yield food;
          source.takeBack();
        }
      }
    } finally {
      source.phase(undefined);
    }
  }
}

async function open(
  file: string,
  options: ReadOptions,
  report: ImportReport,
  source: SourceReport,
): Promise<Opened> {
  const context: Context = { file, options, source, today: report.today, advance: () => {} };
  if (file === '-')
    return openBytes(process.stdin as Bytes, { ...context, advance: counter(context, undefined) });
  const found = await stat(file);
  context.advance = counter(context, found.isDirectory() ? undefined : found.size);
  if (found.isDirectory()) return openArchive(await openFolder(file, FOOD_TABLE), context);
  return openBytes(
    fileBytes(file, (count) => context.advance(count, 0)),
    context,
    found.mtime.toISOString().slice(0, 10),
  );
}

interface Context {
  /** Its path; `-` for standard input. */
  readonly file: string;
  readonly options: ReadOptions;
  readonly source: SourceReport;
  readonly today: string;
  advance: Advance;
}

/** Adds up what is read and tells the caller's progress callback. */
function counter({ options, source }: Context, totalBytes: number | undefined): Advance {
  let rows = 0;
  return (bytes, more) => {
    options.signal?.throwIfAborted();
    source.bytes += bytes;
    rows += more;
    options.progress?.({
      source: source.name,
      phase: source.phaseName,
      bytes: source.bytes,
      totalBytes,
      rows,
    });
  };
}

async function openBytes(bytes: Bytes, context: Context, date = context.today): Promise<Opened> {
  const { file, options, source } = context;
  const where = dataFile(file);
  source.phase('read');
  const peeked = await peek(bytes, isEnoughToTell);
  try {
    const kind = fileKind(peeked.head, where);
    if (kind === 'text') return openText(peeked, where, context, date);
    if (kind === 'gzip') return await openGzip(gunzip(peeked.bytes, where), where, context, date);
    await peeked.discard();
    source.bytes = 0;
    if (file === '-') {
      throw new UserError(
        `${where} is a ${kind} file, which is read from its end. Save it as a file and name that.`,
      );
    }
    if (kind === 'zip') return await openArchive(await openZip(file), context, date);
    if (kind === 'index' && options.readIndex !== undefined) {
      return openIndex(await options.readIndex(file), context);
    }
    const foods = readSqlite(file, options.table);
    return { kind: 'SQLite', label: ownLabel(file, date), batches: checked(foods, context) };
  } catch (error) {
    await peeked.discard();
    throw error;
  }
}

/** What is said of an index is said of what is made of it, too: its licence may demand that. */
function openIndex({ label, foods }: IndexContent, context: Context): Opened {
  const { name, date, source, licence, notes = [] } = label;
  context.source.notes.push(...notes);
  return {
    kind: 'index of food-lookup',
    label: { name, date, source, licence },
    batches: checked(foods, context),
  };
}

async function openGzip(bytes: Bytes, where: string, context: Context, date: string): Promise<Opened> {
  const unpacked = await peek(bytes, isEnoughToTell);
  const kind = fileKind(unpacked.head, `${where}, unpacked,`);
  if (kind === 'text') return openText(unpacked, where, context, date);
  await unpacked.discard();
  throw new UserError(`${where} holds a ${kind} file packed by gzip. Unpack it first.`);
}

function openText({ head, bytes }: Peeked, where: string, context: Context, date: string): Opened {
  const { file, source, advance } = context;
  const kind = textKind(head, where);
  const options = { completeFat: context.options.completeFat === true };
  const readers: Record<TextKind, () => Omit<Opened, 'kind'>> = {
    csv: () => ({
      label: ownLabel(file, date),
      batches: checked(readCsvBytes(bytes, file), context),
    }),
    tsv: () => ({
      label: ownLabel(file, date),
      batches: checked(readCsvBytes(bytes, file, '\t'), context),
    }),
    'open-food-facts': () => ({
      label: { name: 'Open Food Facts', date, ...OPEN_FOOD_FACTS_CREDIT },
      batches: readOpenFoodFacts(bytes, where, source, options, advance),
    }),
    'open-food-facts-json': () => ({
      label: { name: 'Open Food Facts', date, ...OPEN_FOOD_FACTS_CREDIT },
      batches: readOpenFoodFactsJson(bytes, where, source, options, advance),
    }),
    abbreviated: () => ({
      label: { ...ABBREVIATED, date },
      batches: readAbbreviated(bytes, where, source, options, advance),
    }),
  };
  return { kind: KIND_NAMES[kind], ...readers[kind]() };
}

/** Tables of FoodData Central, or a zip with nothing but one data file. */
async function openArchive(archive: Archive, context: Context, date = context.today): Promise<Opened> {
  const { source, options, today } = context;
  if (archive.has(FOOD_TABLE)) {
    const advance = counter(context, usdaBytes(archive));
    const settings = { completeFat: options.completeFat === true, today, advance };
    return {
      kind: 'USDA FoodData Central',
      label: {
        name: usdaName(archive.names),
        date: archive.names.map(dateInName).find((found) => found !== undefined) ?? date,
        ...USDA_CREDIT,
      },
      batches: closing(archive, readUsda(archive, source, settings)),
    };
  }
  const [table, ...others] = archive.tables.filter((name) => /\.(csv|tsv|jsonl|txt)$/i.test(name));
  if (table === undefined || others.length > 0) {
    archive.close();
    const names = archive.tables.slice(0, 3).join(', ');
    throw new UserError(
      `${archive.where}: the zip holds neither ${FOOD_TABLE} nor one data file alone (it holds ${names || 'nothing'}). Of FoodData Central take the CSV form of a download.`,
    );
  }
  const bytes = archive.read(table, (count) => context.advance(count, 0));
  const where = `${archive.where}, entry ${table}`;
  const peeked = await peek(bytes, isEnoughToTell);
  if (fileKind(peeked.head, where) !== 'text') {
    throw new UserError(`${where} is packed once more. Unpack the zip and name what is in it.`);
  }
  const opened = openText(peeked, where, context, date);
  return { ...opened, batches: closing(archive, opened.batches) };
}

async function* closing<Item>(archive: Archive, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } finally {
    archive.close();
  }
}

const BATCH = 512;

/** Foods of the user's own data, where a broken row has stopped the import already; only nameless ones are left out. */
async function* checked(
  foods: AsyncIterable<FoodRecord> | Iterable<FoodRecord>,
  { source, advance }: Context,
): AsyncGenerator<FoodRecord[]> {
  let batch: FoodRecord[] = [];
  for await (const food of foods) {
    source.rows++;
    if (food.description !== '') batch.push(food);
    else source.dropped.add('no description', () => `row ${source.rows}`);
    if (batch.length < BATCH) continue;
    advance(0, BATCH);
    yield batch;
    batch = [];
  }
  yield batch;
}

function ownLabel(file: string, date: string): DataSetLabel {
  return { name: file === '-' ? 'standard input' : basename(file), date, source: null, licence: null };
}

const USDA_SETS: readonly (readonly [RegExp, string])[] = [
  [/foundation_food/, 'USDA Foundation Foods'],
  [/sr_legacy_food/, 'USDA SR Legacy'],
  [/survey_food/, 'USDA FNDDS (survey)'],
  [/branded_food/, 'USDA Branded Foods'],
];

function usdaName(names: readonly string[]): string {
  const known = USDA_SETS.find(([pattern]) => names.some((name) => pattern.test(name)));
  return known?.[1] ?? 'USDA FoodData Central';
}
