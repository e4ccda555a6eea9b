/** Opens one source as a stream of foods: recognizes its kind by its first bytes, and chooses the reader. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type DataSetLabel, type FoodRecord, shown, UserError } from '#core';
import { type Archive, dataEntry, isOpenDocument, isWorkbook, openFolder } from './bytes/archive.ts';
import { encodingByMark, transcoded, UTF8 } from './bytes/encoding.ts';
import { fileKind, peek } from './bytes/file-kind.ts';
import { type Bytes, dataFile, fileBytes, held, unpack, withCount } from './bytes/streams.ts';
import { openZip } from './bytes/zip.ts';
import type { ColumnOptions } from './own/candidates.ts';
import { endsWithCr, linesWithLf, readCsv, type OwnText as TextInput, withLf } from './own/csv-foods.ts';
import { readJson } from './own/json-foods.ts';
import { BATCH } from './own/own-foods.ts';
import { readParquet } from './own/parquet-foods.ts';
import { readWorkbook } from './own/workbook-foods.ts';
import {
  isOpenFoodFacts,
  readOpenFoodFactsJson,
  readOpenFoodFactsParquet,
  readProductsJson,
} from './public/product-dumps.ts';
import { inCommonLanguages } from './public/product-languages.ts';
import { readOpenFoodFacts } from './public/products.ts';
import { FOOD_TABLE, readUsda, usdaBytes } from './public/usda.ts';
import { readUsdaJson } from './public/usda-json.ts';
import { ABBREVIATED, ABBREVIATED_28, OPEN_FOOD_FACTS_CREDIT, usdaLabel } from './report/labels.ts';
import type { SourceReport } from './report/source-report.ts';
import { openParquet } from './rows/parquet.ts';
import { openWorkbook } from './rows/workbook.ts';
import { isLatinAbbreviated, type PublicJson, textKind } from './text-kind.ts';

export interface IndexContent {
  readonly label: DataSetLabel & { readonly notes?: readonly string[] };
  readonly foods: Iterable<FoodRecord>;
}

export interface FileOptions extends ColumnOptions {
  /** The encoding of texts that are not UTF-8 and have no byte order mark. */
  readonly encoding?: string;
  readonly source?: string;
  readonly licence?: string;
  /** Reads an index file, of which the readers know nothing. */
  readonly readIndex?: (file: string) => Promise<IndexContent>;
}

type Batches = AsyncGenerator<FoodRecord[]>;
type Peeked = Awaited<ReturnType<typeof peek>>;

/** What is known of a source before its first byte, and what its readers need beside the bytes. */
interface Context {
  readonly file: string;
  /** Whether it can be read again, unlike a pipe. */
  readonly isFile: boolean;
  /** YYYY-MM-DD, of the last change of the file. */
  readonly date: string;
  readonly options: FileOptions & { readonly today: string };
  readonly report: SourceReport;
  readonly onBytes: (count: number) => void;
}

/** The foods of a file, a folder, or standard input (`-`), in batches. Notes in the report what it is. */
export async function* openFile(
  file: string,
  fileOptions: FileOptions,
  report: SourceReport,
  today: string,
): Batches {
  const onBytes = (count: number): void => report.read(count);
  const found = file === '-' ? undefined : await stat(file);
  const isFolder = found?.isDirectory() === true;
  const date = found === undefined || isFolder ? today : found.mtime.toISOString().slice(0, 10);
  const options = { ...fileOptions, today };
  const context = { file, isFile: found?.isFile() === true, date, options, report, onBytes };
  let batches: Batches;
  if (isFolder) batches = openArchive(await openFolder(file, FOOD_TABLE, onBytes), context);
  else {
    report.phase('read');
    report.totalBytes = found?.size;
    const bytes = found === undefined ? (process.stdin as Bytes) : fileBytes(file);
    batches = openStream(bytes, dataFile(file), context);
  }
  for await (const batch of batches) {
    if (batch.length > 0) yield batch;
    report.progress();
  }
}

/** How many times a file may be packed: a workbook in a zip, which is a zip itself, or a packed text in a zip. */
const MAX_LAYERS = 2;

/** @param layers how many times it has been unpacked */
async function* openStream(bytes: Bytes, where: string, context: Context, layers = 0): Batches {
  const { file, options, onBytes } = context;
  if (layers > MAX_LAYERS)
    throw new UserError(`${where} is packed more than twice. Unpack it and name what is in it.`);
  const peeked = await peek(bytes);
  try {
    const kind = fileKind(peeked.head, where, options.encoding);
    const path = layers === 0 && context.isFile ? file : undefined;
    const counting = layers === 0 ? withCount(peeked.bytes, onBytes) : peeked.bytes;
    const isStream = kind === 'text' || kind === 'gzip' || kind === 'zstd';
    // Others open the file again, and Windows removes no file that is open, such as a database's copy linked to it.
    if (path !== undefined && !isStream) await peeked.discard();
    if (kind === 'text') yield* openText({ ...peeked, bytes: counting }, where, context);
    else if (kind === 'gzip' || kind === 'zstd')
      yield* openStream(unpack(counting, kind, where), where, context, layers + 1);
    else if (kind === 'zip') {
      const content = path ?? (await held(counting, where));
      yield* openArchive(await openZip(content, where, onBytes), context, layers, content);
    } else if (kind === 'parquet')
      yield* openParquetFile(path ?? (await held(counting, where)), where, context);
    else if (kind === 'xls')
      yield* openOld('Excel workbook, old format', path ?? (await held(counting, where)), where, context);
    else if (kind === 'sqlite' && path !== undefined) {
      // Loading the library takes a tenth of the time of a start.
      const { readSqlite } = await import('./own/sqlite-foods.ts');
      yield* labelled('SQLite', readSqlite(file, peeked.head, { ...context, where }), context);
    } else if (kind === 'index' && path !== undefined && options.readIndex !== undefined)
      yield* openIndex(await options.readIndex(file), context);
    else
      throw new UserError(
        layers > 0
          ? `${where} contains a ${kind satisfies 'index' | 'sqlite'} file. Unpack it and name that.`
          : `${where} is a ${kind} file, which cannot be read from a stream. Save it as a file and name that.`,
      );
  } finally {
    // Without waiting: a damaged stream may never bring the piece that is being read.
    peeked.discard().catch(() => {});
  }
}

async function* openText(raw: Peeked, where: string, context: Context): Batches {
  const { options } = context;
  // A byte order mark is more reliable than the user.
  const encoding =
    encodingByMark(raw.head) ?? options.encoding ?? (isLatinAbbreviated(raw.head) ? 'latin1' : UTF8);
  const text = encoding === UTF8 ? raw : await peek(transcoded(raw.bytes, encoding, where));
  // Old programs of the Macintosh end lines with only CR.
  const cr = endsWithCr(text.head);
  const head = cr ? withLf(text.head) : text.head;
  const bytes = cr ? linesWithLf(text.bytes) : text.bytes;
  const input = { ...context, head, bytes, where };
  const kind = textKind(head, where, options);
  if (typeof kind === 'object' && 'of' in kind) yield* publicJson(kind, input);
  else if (typeof kind === 'object') yield* labelled('JSON', readJson(input, kind), context);
  else if (kind === 'own') yield* labelled('CSV', readCsv(input), context);
  else if (kind === 'abbreviated') yield* abbreviated(readCsv({ ...input, isPublic: true }), context);
  else if (kind === 'open-food-facts') yield* openFoodFacts('CSV export', readOpenFoodFacts(input), context);
  else if (kind === 'open-food-facts-json')
    yield* openFoodFacts('JSONL dump', readOpenFoodFactsJson(input), context);
  else kind satisfies never;
}

function publicJson({ of, place }: PublicJson, input: TextInput & Context): Batches {
  if (of === 'products') return openFoodFacts('JSON', readProductsJson(input, place), input);
  const label = usdaLabel([basename(input.file)], input.date);
  return labelled('USDA FoodData Central, JSON', readUsdaJson(input, place), input, label);
}

/** The abbreviated table of USDA, which is read like a user's own. Only the number of its rows shows which release it is. */
async function* abbreviated(foods: Batches, context: Context): Batches {
  const { report, date } = context;
  const label = { ...ABBREVIATED, date };
  yield* labelled('USDA National Nutrient Database, abbreviated', foods, context, label);
  if (report.rows === ABBREVIATED_28.rows) report.label = ABBREVIATED_28.label;
}

function openFoodFacts(form: string, foods: Batches, context: Context): Batches {
  const label = { name: 'Open Food Facts', date: context.date, ...OPEN_FOOD_FACTS_CREDIT };
  const common = inCommonLanguages(foods, context.report);
  return labelled(`Open Food Facts, ${form}`, common, context, label);
}

/** A workbook, tables of FoodData Central, or a zip with a single data file. @param content the file, or its bytes */
async function* openArchive(
  archive: Archive,
  context: Context,
  layers = 0,
  content?: string | Buffer,
): Batches {
  const { report, date } = context;
  const { where } = archive;
  try {
    if (isWorkbook(archive))
      yield* labelled('Excel workbook', readWorkbook(openWorkbook(archive), { ...context, where }), context);
    else if (content !== undefined && (await isOpenDocument(archive)))
      yield* openOld('OpenDocument spreadsheet', content, where, context);
    else if (archive.has(FOOD_TABLE)) {
      report.kind = 'USDA FoodData Central';
      report.label = usdaLabel(archive.names, date);
      report.totalBytes = usdaBytes(archive);
      yield* readUsda({ ...context, archive });
    } else {
      const entry = dataEntry(archive, FOOD_TABLE);
      report.part = `entry ${entry}`;
      yield* openStream(archive.read(entry), `${where}, entry ${shown(entry)}`, context, layers + 1);
    }
  } finally {
    archive.close();
  }
}

/** Loading the library takes as long as a start. */
async function* openOld(kind: string, content: string | Buffer, where: string, context: Context): Batches {
  const { openOldWorkbook } = await import('./rows/old-workbook.ts');
  const bytes =
    typeof content === 'string' ? await held(withCount(fileBytes(content), context.onBytes), where) : content;
  yield* labelled(kind, readWorkbook(openOldWorkbook(bytes, where), { ...context, where }), context);
}

async function* openParquetFile(content: string | Buffer, where: string, context: Context): Batches {
  const file = await openParquet(content, where, context.onBytes);
  yield* isOpenFoodFacts(file.columns)
    ? openFoodFacts('Parquet export', readOpenFoodFactsParquet(file, context), context)
    : labelled('Parquet', readParquet(file, { ...context, where }), context);
}

/** The new index keeps the label and the notes of the old one, as its licence may require. */
async function* openIndex({ label, foods }: IndexContent, context: Context): Batches {
  const { name, date, notes = [] } = label;
  const { report, options } = context;
  report.notes.push(...notes);
  report.kind = 'index of food-lookup';
  const { source, licence, language } = ownLabel(context);
  report.label = {
    ...{ name, date, source: label.source ?? source, licence: label.licence ?? licence },
    language: label.language ?? language,
  };
  let batch: FoodRecord[] = [];
  for (const food of foods) {
    report.rows++;
    if (batch.push(options.nutrients === false ? withoutNutrients(food) : food) < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function withoutNutrients({ nutrients: _, codes: __, ...food }: FoodRecord): FoodRecord {
  return food;
}

const ownLabel = ({ file, date, options }: Context): DataSetLabel => ({
  name: file === '-' ? 'standard input' : basename(file),
  date,
  source: options.source ?? null,
  licence: options.licence ?? null,
  language: options.language,
});

/** Notes what a source is; its reader may say it more exactly. */
function labelled(kind: string, foods: Batches, context: Context, label = ownLabel(context)): Batches {
  context.report.kind = kind;
  context.report.label = label;
  return foods;
}
