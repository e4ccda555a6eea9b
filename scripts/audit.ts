/**
 * `npm run audit` lists known vulnerabilities of the shipped packages, then of all, and fails if there is one. It only warns if the
 * registry cannot answer, as some mirrors cannot.
 */
import { spawnSync } from 'node:child_process';
import { npm } from './npm.ts';

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  /** Why the audit failed. */
  readonly message?: string;
}

for (const [what, args] of [
  ['shipped packages', ['--omit=dev']],
  ['all packages', []],
] as const) {
  // The exit code does not distinguish a vulnerability from a registry without an answer.
  const [program, all] = npm(['audit', '--json', ...args]);
  const { stdout } = spawnSync(program, all, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { vulnerabilities, message } = JSON.parse(
    stdout || '{"message":"npm audit printed no JSON"}',
  ) as Audit;
  if (vulnerabilities === undefined) {
    console.warn(`audit of ${what}: NOT DONE, no answer from the registry (${message?.split(' - ')[0]})`);
    continue;
  }
  const found = Object.entries(vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  console.log(`audit of ${what}: ${found.length === 0 ? 'no known vulnerabilities' : found.join(', ')}`);
  if (found.length > 0) process.exitCode = 1;
}
