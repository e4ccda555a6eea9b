/**
 * The commands of all documents: every line of their blocks of commands, and what follows a prompt in blocks of text. One that
 * test/cli/documents.ci.test.ts cannot run is named here with the file that tries it, or with the reason.
 */
import { readdir, readFile } from 'node:fs/promises';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };

/** Tests that read the blocks under these headings themselves, and run each line. */
export const READ_BY = [
  ['test/deploy/systemd.release.test.ts', 'docs/deployment.md', /^(?!Container$)/],
  ['test/deploy/systemd.release.test.ts', 'docs/operations.md', /^Before production$/],
  ['test/deploy/windows.release.test.ts', 'docs/platforms.md', /^The same commands on Windows$/],
] as const;

const PACKED = 'test/deploy/package.release.test.ts';
const OF_CLUSTER = 'test/support/cluster-server.ts';

/** Commands that are tried elsewhere: the file that does it, and what that says of it. */
export const TRIED_ELSEWHERE: Readonly<Record<string, readonly [file: string, says: string]>> = {
  'npm ci': ['.ci/run', 'npm ci'],
  'npm test': ['.ci/run', 'npm test'],
  'npm ci && npm test': ['.ci/run', 'npm test'],
  'npm run test:all': ['.ci/run', 'npm run test:all'],
  'npm run audit': ['.ci/run', 'npm run audit'],
  'npm run unused': ['package.json', 'npm run unused'],
  'npx biome check --write': ['package.json', 'biome check'],
  'npx vitest test/search': ['package.json', 'vitest run'],
  'npm run dev': ['test/browser/development.release.test.ts', 'scripts/dev.ts'],
  'npm run relevance': ['test/relevance/relevance.ci.test.ts', 'judge('],
  'npm run torture': ['test/torture.release.test.ts', '../load/torture/'],
  'npm run release': ['test/support/release.ts', 'packRelease('],
  'npm pack': [PACKED, 'serviceTarball'],
  'npm pack ./packages/browser': [PACKED, 'clientTarball'],
  [`npm install ../food-lookup/food-lookup-browser-${version}.tgz`]: [PACKED, 'clientTarball'],
  'npm pack ./packages/mcp': [PACKED, 'mcpTarball'],
  [`npm install --global ./food-lookup-mcp-${version}.tgz`]: [PACKED, 'mcpTarball'],
  'systemctl enable --now food-lookup@3001 food-lookup@3002': [READ_BY[0][0], "documented('systemd')"],
  'systemctl restart food-lookup@3001 food-lookup@3002': [READ_BY[0][0], "documented('Data in PostgreSQL')"],
  'systemctl enable --now etcd': [OF_CLUSTER, "start('etcd'"],
  'systemctl enable --now patroni': [OF_CLUSTER, "start('patroni'"],
  "food-lookup check-cors 'http://localhost:3001/api/food?q=egg' --origin http://localhost:8000": [
    'test/cli/documented.test.ts',
    'docs/cross-origin.md',
  ],
  'patronictl --config-file /etc/patroni/config.yml switchover --force': [
    'load/torture/cluster.ts',
    '/switchover',
  ],
  'patronictl --config-file /etc/patroni/config.yml reinit food db2.example --force': [
    'load/torture/cluster.ts',
    '/reinitialize',
  ],
  'runuser -u postgres -- createdb food': ['test/support/cluster.ts', 'CREATE DATABASE food'],
  'runuser -u postgres -- psql food': ['test/support/cluster.ts', 'documentedRoles()'],
};

/** How commands begin that no test runs, and why. */
export const UNTRIED: Readonly<Record<string, string>> = {
  docker:
    'needs a container engine; test/deploy/dockerfile.release.test.ts carries out the Dockerfile without one',
  kubectl: 'needs a cluster; test/deploy/containers.test.ts reads the file',
  'apt-get install': 'changes the machine; .ci/run installs the same packages',
  'systemctl disable --now postgresql etcd': 'needs the packages just installed',
  'patronictl --config-file /etc/patroni/config.yml list': 'needs three servers',
  'npm run bench': 'takes half an hour of a quiet machine',
  'npm run coverage': 'runs the tests again',
  'npm run plant-faults': 'runs the tests sixty times',
  'npm run screenshots': 'writes the pictures of the documents',
};

export interface Command {
  readonly page: string;
  readonly text: string;
  /** The block of JSON right after it, which is what it prints. */
  readonly prints: string | undefined;
}

/** The lines of a block without comments; one that ends with a backslash goes on. */
const linesOf = (block: string): string[] =>
  block
    .replaceAll(/\\\n */g, '')
    .split('\n')
    .map((line) => line.replace(/ +# .*/, '').trim())
    .filter((line) => line !== '');

async function commandsOf(page: string): Promise<Command[]> {
  const sections = (await readFile(page, 'utf8')).split(/^(?=#+ )/m).filter((section) => {
    const [, heading = ''] = /^#+ (.*)/.exec(section) ?? [];
    return !READ_BY.some(([, read, headings]) => read === page && headings.test(heading));
  });
  const blocks = /^ *```(sh|text)\n([\s\S]*?)^ *```\n(?:\n```json\n([\s\S]*?)```)?/gm;
  return sections
    .flatMap((section) => Array.from(section.matchAll(blocks)))
    .flatMap(([, kind, block = '', prints]) => {
      const lines =
        kind === 'sh' ? linesOf(block) : Array.from(block.matchAll(/^\$ (.*)/gm), ([, line = '']) => line);
      return lines.map((text) => ({ page, text, prints }));
    });
}

const FOLDERS = ['.', 'docs', 'data', 'examples', 'packages/browser', 'packages/mcp'];
export const PAGES = (
  await Promise.all(FOLDERS.map(async (folder) => (await readdir(folder)).map((name) => `${folder}/${name}`)))
)
  .flat()
  .filter((path) => path.endsWith('.md'))
  .map((path) => path.replace('./', ''))
  // The README uses what a first command makes.
  .toSorted((a, b) => Number(b === 'README.md') - Number(a === 'README.md'));
export const COMMANDS = (await Promise.all(PAGES.map(commandsOf))).flat();

const isUntried = ({ text }: Command): boolean =>
  Object.keys(UNTRIED).some((beginning) => `${text} `.startsWith(`${beginning} `));
const isTriedElsewhere = ({ text }: Command): boolean => Object.hasOwn(TRIED_ELSEWHERE, text);
export const RUN_HERE = COMMANDS.filter((command) => !isUntried(command) && !isTriedElsewhere(command));
