/** Compares the notices of the page with what is built into it, according to the build's source map and manifest. */
import { readdir, readFile } from 'node:fs/promises';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();
const packages = new Set<string>();
let notices: string;

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ');

beforeAll(async () => {
  const outDir = folder.path('client');
  await build({
    root: 'client',
    configFile: 'client/vite.config.ts',
    logLevel: 'error',
    build: { outDir, sourcemap: true, manifest: 'manifest.json' },
  });
  notices = squeezed(await readFile(`${outDir}/licences.txt`, 'utf8'));
  const maps = (await readdir(outDir)).filter((name) => name.endsWith('.js.map'));
  const sources = await Promise.all(
    maps.map(async (map) => JSON.parse(await readFile(`${outDir}/${map}`, 'utf8')).sources as string[]),
  );
  const files = Object.keys(JSON.parse(await readFile(`${outDir}/manifest.json`, 'utf8')));
  for (const file of [...sources.flat(), ...files]) {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    if (name !== undefined) packages.add(name);
  }
});

test('the notices have the version and licence text of every package in the page', async () => {
  for (const name of ['preact', 'nanostores', '@fontsource-variable/inter']) expect(packages).toContain(name);
  for (const name of packages) {
    const { version, license } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
    expect(notices).toContain(`## ${name} - ${version} (${license})`);
    const file = (await readdir(`node_modules/${name}`)).find((each) => /^licen[cs]e/i.test(each)) ?? '';
    expect(notices).toContain(squeezed(await readFile(`node_modules/${name}/${file}`, 'utf8')).trim());
  }
});
