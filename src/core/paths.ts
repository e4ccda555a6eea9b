/**
 * What paths, folders and open files are like on each system. The system is a parameter, so that every machine can test all of them.
 */
import { systemCode } from './errors.ts';

/** Whether a text is an address with a scheme. A single letter is not a scheme but a Windows drive: `C:\foods.csv`, `C://foods.csv`. */
export const hasScheme = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

export const temporaryFolderVariable = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? 'TEMP' : 'TMPDIR';

/** Ends a sentence with the reason why a file may be unreadable despite its permissions. */
export const hiddenFolders = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'linux' ? ': systemd services cannot see home folders' : '';

export const passwordFile = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? '%APPDATA%\\postgresql\\pgpass.conf' : '~/.pgpass';

const DEVICE = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** On Windows, Node.js also creates files with names that most programs can neither open nor delete. */
export const isFileName = (name: string, platform: NodeJS.Platform = process.platform): boolean =>
  platform !== 'win32' || !(DEVICE.test(name) || /[<>:"|?*]|[. ]$/.test(name));

/** The command as it has been started: in a clone, it is on no path, and `npx` finds it. */
export const commandName = ({ npm_lifecycle_event: starter }: NodeJS.ProcessEnv = process.env): string =>
  starter === 'npx' ? 'npx food-lookup' : 'food-lookup';

/** An argument as the shells of the system want it: PowerShell and cmd on Windows, POSIX shells elsewhere. */
export function quoted(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32')
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  // A backslash before a quotation mark, even before the closing one, would make it part of the text.
  return /^[\w+=:./\\-]+$/.test(text) ? text : `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\\\')}"`;
}

/** The flag of a setting or an option, by its name in the code: `--food-data` of `foodData`. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** How a message shows a setting for one start. Windows shells cannot set a variable for a single command. */
export const settingShown = (
  variable: string,
  value: string | number,
  platform: NodeJS.Platform = process.platform,
): string =>
  platform === 'win32'
    ? `--${variable.toLowerCase().replaceAll('_', '-')} ${quoted(String(value), platform)}`
    : `${variable}=${value}`;

/** Except on Windows, every user can see the command line of a process, but only its owner its environment. */
export function serveDatabase(address: string, platform: NodeJS.Platform = process.platform): string {
  const [command, setting] = [`${commandName()} serve`, settingShown('FOOD_DATA', address, platform)];
  return platform === 'win32' ? `${command} ${setting}` : `${setting} ${command}`;
}

/** Error codes of Windows if another program has the file open, mostly a virus scanner. */
const IN_USE: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** ms for which the file may stay in use, and ms between two attempts. */
const MAX_WAIT = 10_000;
const INTERVAL = 100;

/** Renames a file over another, which fails on Windows as long as a program has one of them open; in the end with EBUSY. */
export async function onceFree(
  rename: () => Promise<void>,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform !== 'win32') return rename();
  for (const end = Date.now() + MAX_WAIT; ; await new Promise((resolve) => setTimeout(resolve, INTERVAL))) {
    try {
      return await rename();
    } catch (error) {
      if (!IN_USE.includes(systemCode(error))) throw error;
      if (Date.now() > end)
        throw Object.assign(new Error('the file is in use', { cause: error }), { code: 'EBUSY' });
    }
  }
}
