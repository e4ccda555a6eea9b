import { expect } from 'vitest';
import type { Ended } from './command.ts';

/** The line with which a command is refused; it prints nothing else. */
export async function refused(ended: Promise<Ended>, exitCode = 1): Promise<string> {
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  expect(stderr).toMatch(/^food-lookup: [^\n]+\n$/);
  return stderr;
}
