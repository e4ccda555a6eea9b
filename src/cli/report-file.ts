/**
 * The file of `--report`: replaced in one step, and only if it is an earlier report.
 */
import type { FileHandle } from 'node:fs/promises';
import { type FileKind, ReplaceableFile } from '../catalogs/index/replaceable-file.ts';
import { shown, WrongUse } from '../errors.ts';
import type { ImportReport } from '../readers/report/report.ts';

/** Bytes; a report has a few thousand per source. */
const MAX_SIZE = 16 * 1024 * 1024;

const REPORT: FileKind = { name: 'earlier report', isKindOf: isReport };

/** @throws UserError if the report cannot be written, or would replace another file */
export function reportFileAt(path: string): Promise<ReplaceableFile> {
  if (path === '-')
    throw new WrongUse('--report -: a report is written to a file. Name one, such as report.json.');
  return ReplaceableFile.at(path, `--report ${shown(path)}`, REPORT);
}

export async function writeReport(file: ReplaceableFile, report: ImportReport): Promise<void> {
  const text = Buffer.from(`${JSON.stringify(report, null, 2)}\n`);
  await file.replace(async (handle) => {
    await handle.writeFile(text);
    return text.length;
  });
}

/** Checks the fields that reports of all versions have. */
async function isReport(file: FileHandle): Promise<boolean> {
  if ((await file.stat()).size > MAX_SIZE) return false;
  try {
    const found: unknown = JSON.parse(await file.readFile('utf8'));
    if (typeof found !== 'object' || found === null) return false;
    const { anyDropped, sources, totals } = found as Record<string, unknown>;
    const { rows, kept } = Object(totals) as Record<string, unknown>;
    return (
      typeof anyDropped === 'boolean' &&
      Array.isArray(sources) &&
      typeof rows === 'number' &&
      typeof kept === 'number'
    );
  } catch {
    return false;
  }
}
