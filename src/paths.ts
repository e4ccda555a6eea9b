/**
 * What paths and folders look like on each system. The system is a parameter, so that every machine can test all of them.
 */
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** Whether a text is an address with a scheme. A single letter is not a scheme but a Windows drive: `C:\foods.csv`, `C://foods.csv`. */
export const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the user, and of this program, for what can be fetched again. `XDG_CACHE_HOME` names another on every system. */
export function cacheFolder(
  { XDG_CACHE_HOME: chosen = '', LOCALAPPDATA: local = '' }: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (isAbsolute(chosen)) return join(chosen, 'food-lookup');
  if (platform === 'win32')
    return join(isAbsolute(local) ? local : join(home, 'AppData', 'Local'), 'food-lookup', 'Cache');
  return join(home, platform === 'darwin' ? join('Library', 'Caches') : '.cache', 'food-lookup');
}

/** The command as it has been started: in a clone, it is on no path, and `npx` finds it. */
export const commandName = ({ npm_lifecycle_event: starter }: Environment = process.env): string =>
  starter === 'npx' ? 'npx food-lookup' : 'food-lookup';

/** An argument as the shells of the system want it: PowerShell and cmd on Windows, POSIX shells elsewhere. */
export function quoted(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32')
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  return /^[\w+=:./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}
