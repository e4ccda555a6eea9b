/**
 * Tells the kind of a data file from its first bytes, and what is wrong with a file that cannot be read.
 */
import { open } from 'node:fs/promises';
import { shown, systemCode, UserError } from '../../errors.ts';
import { fileKindByMagic } from './kinds.ts';

export type DataFileKind = 'csv' | 'sqlite' | 'index';

/** Anything else is taken for CSV, whose reader says what it misses. @throws UserError */
export async function detectKind(file: string): Promise<DataFileKind> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, undefined, 0);
      const kind = fileKindByMagic(buffer.subarray(0, bytesRead));
      return kind === 'sqlite' || kind === 'index' ? kind : 'csv';
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path',
  ENOTDIR: 'there is no such file; check the path',
  ENAMETOOLONG: 'there is no such file; check the path',
  EISDIR: 'this is a folder; name the file in it',
  EACCES: 'the file may not be read by this user; change its permissions',
  EPERM: 'the file may not be read by this user; change its permissions',
};

/** The error to show where a data file cannot be read; a fault of ours stays as it is. */
export function unreadable(file: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof UserError) return error;
  return new UserError(`Data file ${shown(file)}: ${REASONS[code] ?? `the file cannot be read (${code})`}.`);
}
