/** Writes `packages/mcp/dist`: the MCP server as one script, and beside it the index of the built-in foods, with what it is searched by. */
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { readOtherNames, readStarterFoods } from '#service';

const OUT = 'packages/mcp/dist';

await mkdir(OUT, { recursive: true });
const bundle = await rolldown({
  input: resolve('packages/mcp/server.ts'),
  platform: 'node',
  tsconfig: resolve('tsconfig.json'),
  // Packages, which npm installs with theirs.
  external: /^@?[a-z]/,
});
await bundle.write({ file: `${OUT}/server.js`, format: 'es' });
await chmod(`${OUT}/server.js`, 0o755);
await writeFile(`${OUT}/foods.idx`, (await readStarterFoods()).indexFile());
await writeFile(`${OUT}/other-names.json`, (await readOtherNames(undefined)).json);
await copyFile('data/amounts.txt', `${OUT}/amounts.txt`);
