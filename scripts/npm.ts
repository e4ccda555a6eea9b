/**
 * npm as a program with arguments. On Windows `npm` is a script of the shell, which Node.js does not start; so the file that
 * runs under this Node.js is taken where npm has said which, as it does to everything it runs.
 */
import { basename } from 'node:path';

export function npm(
  args: readonly string[],
  execPath = process.env.npm_execpath,
  platform: NodeJS.Platform = process.platform,
): [program: string, args: string[]] {
  if (execPath !== undefined && basename(execPath) === 'npm-cli.js')
    return [process.execPath, [execPath, ...args]];
  return platform === 'win32' ? ['cmd.exe', ['/d', '/c', 'npm', ...args]] : ['npm', [...args]];
}
