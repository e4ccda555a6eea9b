/**
 * The program and arguments that run npm. On Windows `npm` is a shell script, which Node.js cannot start, so this uses npm's
 * JavaScript file, whose path npm passes to everything it runs.
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
