/** Sources as one script for a browser. `node scripts/run.mjs scripts/bundle.ts FOLDER` writes the two files of the typed client. */
import { rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const PROJECT = resolve(import.meta.dirname, '..');
const CLIENT = 'packages/browser/search-foods.ts';
const OPEN_INDEX = 'packages/browser/open-index.ts';

/** @param external sources whose compiled files, beside this one, stay imports */
export async function bundled(
  input: string,
  format: 'es' | 'iife',
  external: readonly string[] = [],
  minify = true,
): Promise<string> {
  const bundle = await rolldown({
    input: resolve(PROJECT, input),
    platform: 'browser',
    tsconfig: resolve(PROJECT, 'tsconfig.json'),
    external: [...external],
  });
  const paths = (id: string) => `./${basename(id, '.ts')}.js`;
  const { output } = await bundle.generate({ format, minify, paths });
  return output[0].code;
}

/** Only if the file was named on the command line. */
if (process.argv[2] === 'scripts/bundle.ts') {
  const folder = process.argv[3] ?? '.';
  // Without the engine it is read by people.
  const client = await bundled(CLIENT, 'es', [], false);
  const openIndex = await bundled(OPEN_INDEX, 'es', ['./search-foods.ts']);
  await writeFile(resolve(folder, 'search-foods.js'), client);
  await writeFile(resolve(folder, 'open-index.js'), openIndex);
  await rm(resolve(folder, 'errors.js'), { force: true });
}
