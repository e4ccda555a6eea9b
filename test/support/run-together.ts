/** Runs several command lines of the built command in one process, so that only one has to start. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Ended } from './command.ts';

export interface CommandLine {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The program is loaded again for each command line; its libraries are not. */
const SCRIPT = `
class Exit extends Error {}
// The parser of arguments would see that of -e.
process.execArgv = [];
process.exit = (code) => {
  process.exitCode = code;
  throw new Exit();
};
// Each of them listens for errors.
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);
const print = process.stdout.write.bind(process.stdout);
const all = [];
for (const { args, environment } of JSON.parse(process.env.COMMAND_LINES)) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  }
  process.argv.splice(1, Infinity, 'food-lookup', ...args);
  process.exitCode = 0;
  Object.assign(process.env, environment);
  try {
    await import(process.env.PROGRAM + '?' + all.length);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
  for (const name in environment) delete process.env[name];
  all.push({ code: process.exitCode, ...written });
}
process.exitCode = 0;
print(JSON.stringify(all));
`;

/** For command lines that end by themselves, and do not read standard input. */
export async function runTogether(lines: readonly CommandLine[]): Promise<Ended[]> {
  const { PATH = '' } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    env: { PATH, COMMAND_LINES: JSON.stringify(lines), PROGRAM: resolve('dist/cli/program.js') },
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout) as Ended[];
}
