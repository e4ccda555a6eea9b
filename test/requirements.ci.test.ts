/** Tests whose requirements are missing are skipped with a reason, or fail if all tests are demanded. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './support/files.ts';

const folder = temporaryFolder();

const TESTS = `
import { test } from 'vitest';
import { describeWithProgram, describeWithShared } from '${resolve('test/support/requirements.ts')}';
describeWithShared('real data', () => test('is read', () => {}));
describeWithProgram('no-such-proxy', () => test('is asked', () => {}));
describeWithProgram('node', () => test('is there', () => {}));
`;

const CONFIG = `
import { MissingRequirements } from '${resolve('test/support/missing-requirements.ts')}';
export default { test: { reporters: ['default', new MissingRequirements()] } };
`;

beforeAll(async () => {
  await mkdir(folder.path('clone'));
  await folder.write('clone/needing.test.ts', TESTS);
  await folder.write('clone/vitest.config.mts', CONFIG);
  await symlink(resolve('node_modules'), folder.path('clone/node_modules'));
});

/** Runs these tests in a folder that has no `../shared`. */
const runTests = (environment: Record<string, string>): Promise<{ code: unknown; output: string }> =>
  new Promise((done) => {
    const args = [resolve('node_modules/vitest/vitest.mjs'), 'run'];
    const env = { PATH: process.env.PATH, NO_COLOR: '1', ...environment };
    execFile(process.execPath, args, { cwd: folder.path('clone'), env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stderr + stdout }),
    );
  });

test.each([{}, { CI: 'true' }])('with %j, tests are skipped and name what is missing', async (variables) => {
  const { code, output } = await runTests(variables);
  expect(code, output).toBe(0);
  expect(output).toMatch(/1 passed \| 2 skipped/);
  expect(output.trim().split('\n').slice(-2)).toEqual([
    'Missing: the folder ../shared with real data. Tests skipped: 1.',
    'Missing: the program no-such-proxy. Tests skipped: 1.',
  ]);
});

test('with FOOD_LOOKUP_TESTS=all, they fail and name what they need', async () => {
  const { code, output } = await runTests({ FOOD_LOOKUP_TESTS: 'all' });
  expect(code, output).toBe(1);
  expect(output).toContain('needs the folder ../shared with real data.');
  expect(output).toContain('needs the program no-such-proxy.');
  expect(output).toMatch(/2 failed \| 1 passed/);
});
