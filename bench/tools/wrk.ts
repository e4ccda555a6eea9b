import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const CONNECTIONS = 32;
export const SECONDS = 2;

const FOLDER = 'build/bench-data';

/** Writes a script that sends searches for the texts in this order, over and over; returns its path. */
export function script(name: string, texts: readonly string[]): string {
  mkdirSync(FOLDER, { recursive: true });
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
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    // `wrk --version` exits with 1; only a missing wrk is a system error.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error('The HTTP benchmark needs wrk. Install it: apt-get install wrk');
    }
  }
}

/** Requests per second. @throws unless all are answered with 200 */
export function rateOf(port: number, file: string): number {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', file, `http://127.0.0.1:${port}`];
  const output = execFileSync('wrk', args, { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`requests to port ${port} failed:\n${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}
