/** `npm version --no-git-tag-version VERSION` runs this, to write the new version into the other files that name it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const OF_CLIENT = 'packages/browser/package.json';

/** Files that name the version, beside those that npm changes. */
export const NAMING = [
  OF_CLIENT,
  'packages/browser/README.md',
  'packages/mcp/package.json',
  'packages/mcp/README.md',
  'docs/assistants.md',
  'README.md',
  'docs/openapi.json',
  'Dockerfile',
  'deploy/compose.yaml',
  'deploy/kubernetes.yaml',
];

export async function versionOf(path: string): Promise<string> {
  return (JSON.parse(await readFile(path, 'utf8')) as { readonly version: string }).version;
}

/** Replaces the version of the typed client, which is that of all these files, by that of the service. */
export async function writeVersion(folder: string): Promise<void> {
  const [old, version] = await Promise.all(
    [OF_CLIENT, 'package.json'].map((path) => versionOf(join(folder, path))),
  );
  if (old === undefined || version === undefined) return;
  for (const path of NAMING.map((each) => join(folder, each)))
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(old, version));
}

/** Only if the file was named on the command line: tests import it. */
if (process.argv[2] === 'scripts/version.ts') await writeVersion('.');
