/**
 * Opens one source as a stream of foods: recognises its kind by its content and picks the reader.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DataSetLabel } from '../catalog.ts';
import { shown, UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { type Archive, dataEntry, isWorkbook, openFolder } from './bytes/archive.ts';
import { encodingByMark, transcoded, UTF8 } from './bytes/encoding.ts';
import { detectKind, fileKind, isEnoughToTell, isPacking } from './bytes/file-kind.ts';
import { held, heldAccess, openRandomAccess } from './bytes/random-access.ts';
import { type Bytes, dataFile, fileBytes, type Peeked, peek } from './bytes/streams.ts';
import { unpack } from './bytes/unpack.ts';
import { openHeldZip, openZip } from './bytes/zip.ts';
import type { ColumnOptions } from './own/candidates.ts';
import { readCsv } from './own/csv.ts';
import { endsWithCr, exchangeLineBreaks, withLines } from './own/dialect.ts';
import { readJson } from './own/json.ts';
import { readParquet } from './own/parquet.ts';
import { readWorkbook } from './own/workbook.ts';
import { ABBREVIATED, OPEN_FOOD_FACTS_CREDIT, usdaLabel } from './report/labels.ts';
import type { SourceReport } from './report/source-report.ts';
import { readAbbreviated } from './sources/abbreviated.ts';
import { readOpenFoodFacts } from './sources/open-food-facts.ts';
import {
  isOpenFoodFacts,
  readOpenFoodFactsJson,
  readOpenFoodFactsParquet,
} from './sources/open-food-facts-dumps.ts';
import { FOOD_TABLE, readUsda, usdaBytes } from './sources/usda.ts';
import { ParquetFile } from './tables/parquet.ts';
import { jsonKind, textKind } from './text-kind.ts';

export interface IndexContent {
  readonly label: DataSetLabel & { readonly notes?: readonly string[] };
  readonly foods: Iterable<FoodRecord>;
}

export interface FileOptions extends ColumnOptions {
  /** The table or view of SQLite files; by default `entries`, or the only one with such columns. */
  readonly table?: string;
  /** The encoding of texts that are not UTF-8 and have no byte order mark. */
  readonly encoding?: string;
  /** Origin and licence of the user's own foods. */
  readonly source?: string;
  readonly licence?: string;
  /** Reads an index file, of which the readers know nothing. */
  readonly readIndex?: (file: string) => Promise<IndexContent>;
  readonly signal?: AbortSignal;
}

/** A source whose kind is known, ready to be read. */
interface OpenedFile {
  readonly kind: string;
  readonly label: DataSetLabel;
  readonly batches: AsyncIterable<FoodRecord[]>;
}

interface Context {
  /** Its path; `-` for standard input. */
  readonly file: string;
  /** YYYY-MM-DD, of the last change of the file. */
  readonly date: string;
  readonly today: string;
  readonly options: FileOptions;
  readonly source: SourceReport;
}

/** Opens a file, a folder, or standard input (`-`). @throws UserError if it is missing or of no known kind */
export async function openFile(
  file: string,
  options: FileOptions,
  source: SourceReport,
  today: string,
): Promise<OpenedFile> {
  const onBytes = (count: number): void => {
    options.signal?.throwIfAborted();
    source.read(count);
  };
  const found = file === '-' ? undefined : await stat(file);
  const isFolder = found?.isDirectory() === true;
  const date = found === undefined || isFolder ? today : found.mtime.toISOString().slice(0, 10);
  const context = { file, date, today, options, source };
  if (isFolder) return openArchive(await openFolder(file, FOOD_TABLE, onBytes), context);
  source.phase('read');
  if (found === undefined) return openStream(process.stdin as Bytes, dataFile(file), context);
  source.totalBytes = found.size;
  // A pipe can be read only once.
  const kind = found.isFile() ? await detectKind(file) : undefined;
  if (kind === 'zip') return openArchive(await openZip(file, onBytes), context);
  if (kind === 'parquet') {
    const where = dataFile(file);
    const bytes = await openRandomAccess(file, onBytes);
    return openParquet(await ParquetFile.open(bytes, where), where, context);
  }
  if (kind === 'sqlite') return openSqlite(context);
  if (kind === 'index' && options.readIndex !== undefined)
    return openIndex(await options.readIndex(file), context);
  return openStream(fileBytes(file, onBytes), dataFile(file), context);
}

/** How many times a file may be packed: a workbook in a zip, which is a zip itself, or a packed text in a zip. */
const MAX_LAYERS = 2;

/** @param layers how many times it has been unpacked */
async function openStream(bytes: Bytes, where: string, context: Context, layers = 0): Promise<OpenedFile> {
  const peeked = await peek(bytes, isEnoughToTell);
  try {
    const kind = fileKind(peeked.head, where, context.options.encoding);
    if (kind === 'text') return await openText(peeked, where, context);
    if (kind === 'zip' || kind === 'parquet')
      return await openHeld(peeked.bytes, kind, where, context, layers);
    if (!isPacking(kind))
      throw new UserError(
        layers > 0
          ? `${where} contains a ${kind} file. Unpack it and name that.`
          : `${where} is a ${kind} file, which cannot be read from a stream. Save it as a file and name that.`,
      );
    if (layers >= MAX_LAYERS) throw packedOften(where);
    return await openStream(unpack(peeked.bytes, kind, where), where, context, layers + 1);
  } catch (error) {
    await peeked.discard();
    throw error;
  }
}

const packedOften = (where: string): UserError =>
  new UserError(`${where} is packed more than twice. Unpack it and name what is in it.`);

/** A file that is not read from beginning to end, in a stream. */
async function openHeld(
  bytes: Bytes,
  kind: 'zip' | 'parquet',
  where: string,
  context: Context,
  layers: number,
): Promise<OpenedFile> {
  const content = await held(bytes, where);
  if (kind === 'parquet')
    return openParquet(await ParquetFile.open(heldAccess(content), where), where, context);
  return openArchive(await openHeldZip(content, where), context, layers);
}

async function openText(text: Peeked, where: string, context: Context): Promise<OpenedFile> {
  const { date, source: report, options } = context;
  // A byte order mark is more reliable than the user.
  const encoding = encodingByMark(text.head) ?? options.encoding ?? UTF8;
  const { head, bytes } =
    encoding === UTF8 ? text : await peek(transcoded(text.bytes, encoding, where), isEnoughToTell);
  const isCr = endsWithCr(head);
  const kind = textKind(isCr ? exchangeLineBreaks(head) : head, where);
  // Users' tables look for the end of their lines themselves.
  if (kind === 'own')
    return { kind: 'CSV', ...ownFoods(readCsv({ bytes, where, report, options }), context) };
  const input = { bytes: isCr ? withLines(bytes) : bytes, where, report, options };
  const products = { name: 'Open Food Facts', date, ...OPEN_FOOD_FACTS_CREDIT };
  switch (kind) {
    case 'json': {
      const json = jsonKind(head, where, options);
      return json === 'open-food-facts-json'
        ? { kind: 'Open Food Facts, JSONL dump', label: products, batches: readOpenFoodFactsJson(input) }
        : { kind: 'JSON', ...ownFoods(readJson(input, json), context) };
    }
    case 'open-food-facts':
      return { kind: 'Open Food Facts, CSV export', label: products, batches: readOpenFoodFacts(input) };
    case 'abbreviated': {
      const kind = 'USDA National Nutrient Database, abbreviated';
      return { kind, label: { ...ABBREVIATED, date }, batches: readAbbreviated(input) };
    }
  }
}

/** A workbook, tables of FoodData Central, or a zip with a single data file. */
async function openArchive(archive: Archive, context: Context, layers = 0): Promise<OpenedFile> {
  try {
    const opened = isWorkbook(archive)
      ? openWorkbook(archive, context)
      : archive.has(FOOD_TABLE)
        ? openUsda(archive, context)
        : await openOnlyTable(archive, context, layers);
    return { ...opened, batches: closing(archive, opened.batches) };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function openWorkbook(archive: Archive, context: Context): OpenedFile {
  const { source: report, options } = context;
  return { kind: 'Excel workbook', ...ownFoods(readWorkbook({ archive, report, options }), context) };
}

function openParquet(file: ParquetFile, where: string, context: Context): OpenedFile {
  const { date, source: report, options } = context;
  if (!isOpenFoodFacts(file.columns))
    return { kind: 'Parquet', ...ownFoods(readParquet({ file, where, report, options }), context) };
  return {
    kind: 'Open Food Facts, Parquet export',
    label: { name: 'Open Food Facts', date, ...OPEN_FOOD_FACTS_CREDIT },
    batches: readOpenFoodFactsParquet({ file, report, options }),
  };
}

function openUsda(archive: Archive, { source, options, date, today }: Context): OpenedFile {
  source.totalBytes = usdaBytes(archive);
  return {
    kind: 'USDA FoodData Central',
    label: usdaLabel(archive.names, date),
    batches: readUsda(archive, source, { ...options, today }),
  };
}

async function openOnlyTable(archive: Archive, context: Context, layers: number): Promise<OpenedFile> {
  if (layers >= MAX_LAYERS) throw packedOften(archive.where);
  const entry = dataEntry(archive, FOOD_TABLE);
  context.source.part = `entry ${entry}`;
  return openStream(archive.read(entry), `${archive.where}, entry ${shown(entry)}`, context, layers + 1);
}

async function* closing<Item>(archive: Archive, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } finally {
    archive.close();
  }
}

async function openSqlite(context: Context): Promise<OpenedFile> {
  const { file, source: report, options } = context;
  // Loading the library takes a tenth of the time of a start.
  const { readSqlite } = await import('./own/sqlite.ts');
  return { kind: 'SQLite', ...ownFoods(readSqlite({ file, report, options }), context) };
}

/** The new index keeps the label and the notes of the old one, as its licence may require. */
function openIndex({ label, foods }: IndexContent, context: Context): OpenedFile {
  const { name, date, notes = [] } = label;
  context.source.notes.push(...notes);
  const own = ownFoods(inBatches(foods), context);
  const source = label.source ?? own.label.source;
  const licence = label.licence ?? own.label.licence;
  return { ...own, kind: 'index of food-lookup', label: { name, date, source, licence } };
}

/** Foods between two turns of the event loop. */
const BATCH = 512;

async function* inBatches(foods: Iterable<FoodRecord>): AsyncGenerator<FoodRecord[]> {
  let batch: FoodRecord[] = [];
  for (const food of foods) {
    batch.push(food);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** The user's own data. */
function ownFoods(
  batches: AsyncIterable<FoodRecord[]>,
  { file, date, source, options }: Context,
): Omit<OpenedFile, 'kind'> {
  const name = file === '-' ? 'standard input' : basename(file);
  const label = { name, date, source: options.source ?? null, licence: options.licence ?? null };
  return { label, batches: named(batches, source) };
}

/** Drops only foods without a description, which their reader has counted: any other fault in a row ends the import. */
async function* named(
  batches: AsyncIterable<FoodRecord[]>,
  source: SourceReport,
): AsyncGenerator<FoodRecord[]> {
  for await (const batch of batches) {
    yield batch.filter(({ description }) => {
      source.rows++;
      return description !== '';
    });
    source.progress();
  }
}
