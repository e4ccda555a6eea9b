/**
 * `npm run audit`: known vulnerabilities of the packages, first of the shipped ones and then of all. It fails if there is one, but
 * not if the registry cannot answer, as some mirrors cannot; then it says so.
 */
import { execFile } from 'node:child_process';
import { npm } from './npm.ts';

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  /** Why it could not be done. */
  readonly message?: string;
}

function audit(args: readonly string[]): Promise<Audit> {
  return new Promise((resolve) => {
    // Its exit code does not tell a finding from a registry that does not answer.
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
  ['what is shipped', ['--omit=dev']],
  ['everything', []],
] as const) {
  const { vulnerabilities, message } = await audit(args);
  if (vulnerabilities === undefined) {
    console.warn(`audit of ${what}: NOT DONE, the registry cannot be asked (${message?.split(' - ')[0]})`);
    continue;
  }
  const found = Object.entries(vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`);
  console.log(`audit of ${what}: ${found.length === 0 ? 'nothing is known' : found.join(', ')}`);
  if (found.length > 0) process.exitCode = 1;
}
