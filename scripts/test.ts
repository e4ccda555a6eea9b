/**
 * `npm test`: checks the sources without running them, and runs the tests at the same time, whose build compiles the doors.
 * Arguments go to Vitest: `npm test -- --project ci`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { npm } from './npm.ts';

const CHECKS = ['lint', 'unused', 'types'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'portable', '--project', 'programs'];

const succeeds = async (...[command, args]: ReturnType<typeof npm>): Promise<boolean> => {
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'exit');
  return code === 0;
};

/** The first that fails, which says why. */
async function failedCheck(): Promise<string | undefined> {
  for (const check of CHECKS) if (!(await succeeds(...npm(['run', '--silent', check])))) return check;
  return undefined;
}

const [failed, passed] = await Promise.all([
  failedCheck(),
  succeeds(process.execPath, [...VITEST, ...process.argv.slice(3)]),
]);
if (failed !== undefined) console.error(`The check failed: npm run ${failed}`);
if (failed !== undefined || !passed) process.exitCode = 1;
