/** Packs the service, the typed client and the MCP server as for a release, and installs the first two into an empty folder. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { npm } from '../../scripts/npm.ts';
import { packRelease } from '../../scripts/release.ts';
import { execute } from './programs.ts';

const LEFT_OUT = ['node_modules', 'dist', '.git', '.dev', 'build', 'tmp'];

export type Release = Awaited<ReturnType<typeof packedRelease>>;

/**
 * Packs a copy of the project, because packing rebuilds what other tests use. Returns that copy, the folder into which the packages
 * were installed, the command in it, and the tarballs.
 */
export async function packedRelease(folder: string) {
  const [copy, home] = [`${folder}/copy`, `${folder}/home`];
  await mkdir(copy);
  for (const name of await readdir('.'))
    if (!LEFT_OUT.includes(name)) await cp(name, `${copy}/${name}`, { recursive: true });
  await linkOrCopy('node_modules', `${copy}/node_modules`);
  // The test of the Dockerfile builds, too, in the same way.
  const project = JSON.parse(await readFile('package.json', 'utf8')) as {
    version: string;
    scripts: Record<string, string>;
  };
  project.scripts.build = `cp -a ${JSON.stringify(resolve('dist'))} .`;
  await writeFile(`${copy}/package.json`, JSON.stringify(project));

  const npmIn = (cwd: string, ...args: string[]) =>
    execute(...npm([...args, '--no-audit', '--no-fund', '--prefer-offline']), { cwd });
  const packed = `${folder}/release`;
  await mkdir(packed);
  await packRelease(copy, packed, project.version);
  await mkdir(home);
  await writeFile(`${home}/package.json`, '{"private":true,"type":"module"}');
  const tarballs = (await readdir(packed)).filter((name) => name.endsWith('.tgz')).toSorted();
  const paths = tarballs.map((name) => `${packed}/${name}`);
  const [serviceTarball = '', clientTarball = '', mcpTarball = ''] = paths;
  // Offline: the release contains the tested packages.
  await npmIn(home, 'install', '--offline', serviceTarball, clientTarball);
  const command = `${home}/node_modules/.bin/food-lookup`;
  return { copy, home, packed, command, serviceTarball, clientTarball, mcpTarball };
}

/** Makes links, in a tenth of the time, unless the folders are on different file systems. */
export const linkOrCopy = (from: string, to: string) =>
  execute('sh', ['-c', `mkdir ${to} && (cp -al ${from}/. ${to} 2>/dev/null || cp -a ${from}/. ${to})`]);
