import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The folder of the user, and of this program, for what can be fetched again. `XDG_CACHE_HOME` names another on every system. */
export function cacheFolder(
  { XDG_CACHE_HOME: chosen = '', LOCALAPPDATA: local = '' }: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (isAbsolute(chosen)) return join(chosen, 'food-lookup');
  if (platform === 'win32')
    return join(isAbsolute(local) ? local : join(home, 'AppData', 'Local'), 'food-lookup', 'Cache');
  return join(home, platform === 'darwin' ? join('Library', 'Caches') : '.cache', 'food-lookup');
}
