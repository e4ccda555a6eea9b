import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execute } from '../../test/support/programs.ts';
import { FOLDER } from '../tools/data-sets.ts';

export const CONNECTIONS = 32;

/** Writes a script that sends searches for the texts in this order, over and over; returns its path. */
export function script(name: string, texts: readonly string[]): string {
  const targets = resolve(`${FOLDER}/${name}.txt`);
  writeFileSync(targets, texts.map((q) => `/api/food?${new URLSearchParams({ q })}`).join('\n'));
  const file = `${FOLDER}/${name}.lua`;
  writeFileSync(
    file,
    `local requests, at = {}, 0
function init() for target in io.lines("${targets}") do requests[#requests + 1] = wrk.format("GET", target) end end
function request() at = at % #requests + 1; return requests[at] end
`,
  );
  return file;
}

export function requireWrk(): void {
  // It exits with 1; only a missing wrk is an error of the system.
  if (spawnSync('wrk', ['--version']).error !== undefined)
    throw new Error('The HTTP benchmark needs wrk. Install it: apt-get install wrk');
}

export type Load = Awaited<ReturnType<typeof loadOf>>;

/** Sends requests as fast as they are answered: how many a second, and ms. @throws unless all are answered with 200 */
export async function loadOf({ port }: { readonly port: number }, file: string, seconds = 2) {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', file];
  const { stdout } = await execute('wrk', [...args, `http://127.0.0.1:${port}`]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`requests to port ${port} failed:\n${stdout}`);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return { rate, p99: Number(p99) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN) };
}
