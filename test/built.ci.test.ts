/** What tests run from `dist` is what stands in `src`. */
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/files.ts';
import { execute } from './support/programs.ts';

const folder = temporaryFolder();

/** Has a build of its own, because the real one takes seconds. */
const BUILD = `
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
appendFileSync('builds', \`\${process.env.NODE_ENV}\\n\`);
if (readFileSync('src/worker.js', 'utf8') === 'wrong') process.exit(1);
cpSync('src', 'dist', { recursive: true });
`;

const SETUP = `
import { setup } from '${resolve('test/support/built.mjs')}';
await setup({ onTestsRerun() {} });
`;

const runTests = () =>
  execute(process.execPath, ['--input-type=module', '--eval', SETUP], { cwd: folder.path('') });

test('dist is built again if a source or a built file is another one, and only then', async () => {
  await mkdir(folder.path('src'));
  await writeFile(folder.path('build.mjs'), BUILD);
  await folder.write('package.json', '{"scripts":{"build":"node build.mjs"}}');
  for (const name of ['package-lock', 'tsconfig', 'tsconfig.door']) await folder.write(`${name}.json`, '{}');
  const [source, built] = [folder.path('src/worker.js'), folder.path('dist/worker.js')];
  const expectBuilt = async (content: string, builds: number) => {
    expect(await readFile(built, 'utf8')).toBe(content);
    expect(await readFile(folder.path('builds'), 'utf8')).toBe('undefined\n'.repeat(builds));
  };

  await writeFile(source, 'first');
  await Promise.all([runTests(), runTests()]);
  await expectBuilt('first', 1);
  await writeFile(source, 'other');
  await utimes(source, 0, 0);
  await runTests();
  await expectBuilt('other', 2);
  await writeFile(built, 'from elsewhere');
  await runTests();
  await expectBuilt('other', 3);
  await writeFile(source, 'wrong');
  await expect(runTests()).rejects.toThrow('The tests need a build, and npm run build has failed.');
  await writeFile(source, 'other');
  await runTests();
  await expectBuilt('other', 4);
});
