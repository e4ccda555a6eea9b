/**
 * What paths and folders look like on each system. The system is a parameter, so that every machine can test all of them.
 */
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** Whether a text is an address with a scheme. A single letter is none, but a drive of Windows: `C:\foods.csv`, `C://foods.csv`. */
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

/** Whether two absolute paths would lead to one new file. Windows and, as a rule, macOS ignore the case of names. */
export function isSamePath(
  one: string,
  other: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  return ignoresCase ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** The environment variable that names the folder of temporary files. */
export const temporaryFolderVariable = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? 'TEMP' : 'TMPDIR';

/** Why a file may be out of reach whatever its permissions, as the end of a sentence. */
export const hiddenFolders = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'linux' ? ': systemd services cannot see home folders' : '';

/** Where libpq and its like look for passwords of PostgreSQL. */
export const passwordFile = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? '%APPDATA%\\postgresql\\pgpass.conf' : '~/.pgpass';

/** Names of devices, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/**
 * Whether a new file may have this name. Node.js creates files on Windows that the system reserves for devices, or that
 * Explorer and most programs can then neither open nor delete.
 */
export const isFileName = (name: string, platform: NodeJS.Platform = process.platform): boolean =>
  platform !== 'win32' || !(DEVICE.test(name) || /[<>:"|?*]|[. ]$/.test(name));

/** The command as it has been started: in a clone, it is on no path, and `npx` finds it. */
export const commandName = ({ npm_lifecycle_event: starter }: Environment = process.env): string =>
  starter === 'npx' ? 'npx food-lookup' : 'food-lookup';

/** An argument as the shells of the system want it: PowerShell and cmd on Windows, POSIX shells elsewhere. */
export function quoted(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32')
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  // A backslash before a quotation mark, also before the one at the end, would make it a part of the text.
  return /^[\w+=:./\\-]+$/.test(text) ? text : `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\\\')}"`;
}

/** A setting for one start, as a remedy in a message: the shells of Windows set no variable for one command. */
export const settingShown = (
  variable: string,
  value: string | number,
  platform: NodeJS.Platform = process.platform,
): string =>
  platform === 'win32'
    ? `--${variable.toLowerCase().replaceAll('_', '-')} ${quoted(String(value), platform)}`
    : `${variable}=${value}`;

/**
 * The command that serves a database. On other systems than Windows every user sees the command line of a process, and only
 * its owner sees its environment.
 */
export function serveDatabase(address: string, platform: NodeJS.Platform = process.platform): string {
  const [command, setting] = [`${commandName()} serve`, settingShown('FOOD_DATA', address, platform)];
  return platform === 'win32' ? `${command} ${setting}` : `${setting} ${command}`;
}
