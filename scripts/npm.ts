/**
 * npm as a program with arguments. On Windows `npm` is a shell script, which Node.js does not start. So this uses the JavaScript
 * file of npm, whose path npm passes to everything that it runs.
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
