/**
 * A data file as the user named it: its kind by its first bytes, and its name in messages.
 */
import { open, stat } from 'node:fs/promises';
import { shown, systemCode, UserError } from '../../errors.ts';
import { hiddenFolders } from '../../paths.ts';
import { type FileKind, fileKindByMagic } from './file-kind.ts';

/** How messages call a file, or standard input. */
export const dataFile = (file: string): string =>
  file === '-' ? 'Standard input' : `Data file ${shown(file)}`;

/** The kind of a file that begins with a magic number; undefined for any other, such as a text. @throws UserError */
export async function detectKind(file: string): Promise<FileKind | undefined> {
  try {
    await refusePipe(file);
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, undefined, 0);
      return fileKindByMagic(buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Opening a pipe that nobody writes to would never return, and even keep the process from ending. @throws UserError */
export async function refusePipe(file: string): Promise<void> {
  if (!(await stat(file)).isFIFO()) return;
  throw new UserError(`${dataFile(file)}: this is a pipe; write its content to a file first, and name that.`);
}

const NOT_ALLOWED = `this user may not read the file; change its permissions and those of its folders, or move it${hiddenFolders()}`;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path',
  ENOTDIR: 'there is no such file; check the path',
  ENAMETOOLONG: 'there is no such file; check the path',
  EISDIR: 'this is a folder; name the file in it',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EBUSY: 'another program has the file open and lets no other one read it; close it there',
};

/** The error to show if a data file cannot be read; a bug stays unchanged. */
export function unreadable(file: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof UserError) return error;
  return new UserError(`Data file ${shown(file)}: ${REASONS[code] ?? `the file cannot be read (${code})`}.`);
}
