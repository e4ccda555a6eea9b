/**
 * The command line of an import, to be copied into a shell.
 */
import { basename } from 'node:path';
import { withoutPassword } from '../errors.ts';
import { commandName, quoted } from '../paths.ts';
import { isPostgresUrl } from '../settings/postgres-url.ts';
import type { DryRunFlags } from './import-checks.ts';

/** The command that imports the sources with these flags. Passwords in addresses are left out. */
export function importCommand(sources: readonly string[], flags: DryRunFlags): string {
  const { to = targetFor(sources[0] ?? ''), ...others } = flags;
  const target = isPostgresUrl(to) ? withoutPassword(to).replace('***@', 'USER:PASSWORD@') : to;
  const args = [...sources.map((source) => withoutPassword(source)), '--to', target];
  for (const [name, value] of Object.entries(others)) {
    if (name === 'dryRun' || value === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) args.push(flag);
    else for (const each of [value].flat()) args.push(flag, String(each));
  }
  return `${commandName()} import ${args.map((each) => quoted(each)).join(' ')}`;
}

/** The name of an index file for a source: `foods.idx` for `data/foods.csv.gz`. */
function targetFor(source: string): string {
  const path = /^https?:/i.test(source) ? new URL(source).pathname : source;
  const name = basename(path)
    .replace(/^.*:/, '')
    .replace(/(\.\w{1,8}){1,2}$/, '');
  const target = `${name === '' || name === '-' ? 'foods' : name}.idx`;
  // An index as a source cannot be its own target.
  return target === basename(path) ? `new-${target}` : target;
}
