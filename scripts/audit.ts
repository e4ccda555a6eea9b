/**
 * `npm run audit` lists known vulnerabilities of the shipped packages, then of all, and fails if there is one. It only warns if the
 * registry cannot answer, as some mirrors cannot.
 */
import { execFile } from 'node:child_process';
import { npm } from './npm.ts';

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  /** Why the audit failed. */
  readonly message?: string;
}

function audit(args: readonly string[]): Promise<Audit> {
  return new Promise((resolve) => {
    // The exit code does not distinguish a vulnerability from a registry without an answer.
    execFile(...npm(['audit', '--json', ...args]), { maxBuffer: 2 ** 26 }, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Audit);
      } catch {
        resolve({ message: 'npm audit printed no JSON' });
      }
    });
  });
}

for (const [what, args] of [
  ['shipped packages', ['--omit=dev']],
  ['all packages', []],
] as const) {
  const { vulnerabilities, message } = await audit(args);
  if (vulnerabilities === undefined) {
    console.warn(`audit of ${what}: NOT DONE, no answer from the registry (${message?.split(' - ')[0]})`);
    continue;
  }
  const found = Object.entries(vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  console.log(`audit of ${what}: ${found.length === 0 ? 'no known vulnerabilities' : found.join(', ')}`);
  if (found.length > 0) process.exitCode = 1;
}
