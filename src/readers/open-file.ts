/**
 * Opens one source as a stream of foods: recognises its kind by its content and picks the reader.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DataSetLabel } from '../catalog.ts';
import { UserError } from '../errors.ts';
import type { FoodRecord } from '../food.ts';
import { type Archive, openFolder } from './bytes/archive.ts';
import { dataFile, detectKind } from './bytes/data-file.ts';
import { encodingByMark, transcoded, UTF8 } from './bytes/encoding.ts';
import { fileKind, isEnoughToTell } from './bytes/file-kind.ts';
import { type Bytes, fileBytes, gunzip, type Peeked, peek } from './bytes/streams.ts';
import { openZip } from './bytes/zip.ts';
import type { ColumnOptions } from './own/candidates.ts';
import { readCsv } from './own/csv.ts';
import { readSqlite } from './own/sqlite.ts';
import { ABBREVIATED, OPEN_FOOD_FACTS_CREDIT, usdaLabel } from './report/labels.ts';
import { NO_DESCRIPTION, type SourceReport } from './report/source-report.ts';
import { readAbbreviated } from './sources/abbreviated.ts';
import { readOpenFoodFacts } from './sources/open-food-facts.ts';
import { readOpenFoodFactsJson } from './sources/open-food-facts-json.ts';
import { KIND_NAMES, type TextKind, textKind } from './sources/text-kind.ts';
import { FOOD_TABLE, readUsda, usdaBytes } from './sources/usda.ts';

/** The content of an index file. */
export interface IndexContent {
  readonly label: DataSetLabel & { readonly notes?: readonly string[] };
  readonly foods: Iterable<FoodRecord>;
}

export interface FileOptions extends ColumnOptions {
  /** The table or view of SQLite files; where absent, `entries`, or the only one with such columns. */
  readonly table?: string;
  /** The encoding of texts, where they are not UTF-8 and have no byte order mark. */
  readonly encoding?: string;
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

/** Opens a file, a folder, or standard input (`-`). @throws UserError where it is missing or of no known kind */
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
  if (found === undefined) return openStream(process.stdin as Bytes, context);
  source.totalBytes = found.size;
  // A pipe can be read only once.
  const kind = found.isFile() ? await detectKind(file) : undefined;
  if (kind === 'zip') return openArchive(await openZip(file, onBytes), context);
  if (kind === 'sqlite') return openSqlite(context);
  if (kind === 'index' && options.readIndex !== undefined)
    return openIndex(await options.readIndex(file), context);
  return openStream(fileBytes(file, onBytes), context);
}

/** A text, plain or packed by gzip. */
async function openStream(bytes: Bytes, context: Context): Promise<OpenedFile> {
  const where = dataFile(context.file);
  const peeked = await peek(bytes, isEnoughToTell);
  try {
    const kind = fileKind(peeked.head, where, context.options.encoding);
    if (kind === 'text') return await openText(peeked, where, context);
    if (kind === 'gzip') return await openGzip(gunzip(peeked.bytes, where), where, context);
    throw new UserError(
      `${where} is a ${kind} file, which is read from its end. Save it as a file and name that.`,
    );
  } catch (error) {
    await peeked.discard();
    throw error;
  }
}

async function openGzip(bytes: Bytes, where: string, context: Context): Promise<OpenedFile> {
  const unpacked = await peek(bytes, isEnoughToTell);
  const kind = fileKind(unpacked.head, `${where}, unpacked,`, context.options.encoding);
  if (kind === 'text') return openText(unpacked, where, context);
  await unpacked.discard();
  throw new UserError(`${where} holds a ${kind} file packed by gzip. Unpack it first.`);
}

async function openText(text: Peeked, where: string, context: Context): Promise<OpenedFile> {
  const { date, source: report, options } = context;
  // A mark tells more than what a user believes.
  const encoding = encodingByMark(text.head) ?? options.encoding ?? UTF8;
  const { head, bytes } =
    encoding === UTF8 ? text : await peek(transcoded(text.bytes, encoding, where), isEnoughToTell);
  const input = { bytes, where, report, options: { completeFat: options.completeFat === true } };
  const products = { name: 'Open Food Facts', date, ...OPEN_FOOD_FACTS_CREDIT };
  const kind = textKind(head, where);
  const readers: Record<TextKind, () => Omit<OpenedFile, 'kind'>> = {
    own: () => ownFoods(readCsv({ bytes, where, report, options }), context),
    'open-food-facts': () => ({ label: products, batches: readOpenFoodFacts(input) }),
    'open-food-facts-json': () => ({ label: products, batches: readOpenFoodFactsJson(input) }),
    abbreviated: () => ({ label: { ...ABBREVIATED, date }, batches: readAbbreviated(input) }),
  };
  return { kind: KIND_NAMES[kind], ...readers[kind]() };
}

/** Tables of FoodData Central, or a zip with a single data file. */
async function openArchive(archive: Archive, context: Context): Promise<OpenedFile> {
  try {
    const opened = archive.has(FOOD_TABLE)
      ? openUsda(archive, context)
      : await openOnlyTable(archive, context);
    return { ...opened, batches: closing(archive, opened.batches) };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function openUsda(archive: Archive, { source, options, date, today }: Context): OpenedFile {
  source.totalBytes = usdaBytes(archive);
  return {
    kind: 'USDA FoodData Central',
    label: usdaLabel(archive.names, date),
    batches: readUsda(archive, source, { completeFat: options.completeFat === true, today }),
  };
}

async function openOnlyTable(archive: Archive, context: Context): Promise<OpenedFile> {
  const [table, ...others] = archive.tables.filter((name) => /\.(csv|tsv|jsonl|txt)$/i.test(name));
  if (table === undefined || others.length > 0) {
    const names = archive.tables.slice(0, 3).join(', ');
    throw new UserError(
      `${archive.where}: the zip holds neither ${FOOD_TABLE} nor one data file alone (it holds ${names || 'nothing'}). Of FoodData Central take the CSV form of a download.`,
    );
  }
  const where = `${archive.where}, entry ${table}`;
  const peeked = await peek(archive.read(table), isEnoughToTell);
  if (fileKind(peeked.head, where, context.options.encoding) === 'text')
    return await openText(peeked, where, context);
  throw new UserError(`${where} is packed once more. Unpack the zip and name what is in it.`);
}

async function* closing<Item>(archive: Archive, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } finally {
    archive.close();
  }
}

function openSqlite(context: Context): OpenedFile {
  const { file, source: report, options } = context;
  return { kind: 'SQLite', ...ownFoods(readSqlite({ file, report, options }), context) };
}

/** The label and the notes of an index go on to the new one: its licence may require it. */
function openIndex({ label, foods }: IndexContent, context: Context): OpenedFile {
  const { name, date, source, licence, notes = [] } = label;
  context.source.notes.push(...notes);
  const { batches } = ownFoods(inBatches(foods), context);
  return { kind: 'index of food-lookup', label: { name, date, source, licence }, batches };
}

/** The user's own data. */
function ownFoods(
  batches: AsyncIterable<FoodRecord[]>,
  { file, date, source }: Context,
): Omit<OpenedFile, 'kind'> {
  const name = file === '-' ? 'standard input' : basename(file);
  return { label: { name, date, source: null, licence: null }, batches: named(batches, source) };
}

/** Drops only foods without a description: any other fault in a row ends the import. */
async function* named(
  batches: AsyncIterable<FoodRecord[]>,
  source: SourceReport,
): AsyncGenerator<FoodRecord[]> {
  for await (const batch of batches) {
    yield batch.filter(({ description }) => {
      source.rows++;
      if (description === '') source.dropped.add(NO_DESCRIPTION, () => `row ${source.rows}`);
      return description !== '';
    });
    source.progress();
  }
}

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
