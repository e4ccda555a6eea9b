/**
 * Runs before and after `npm pack`, which bundles the dependencies as they are in `node_modules`: `strip.ts` moves the files that
 * no program loads out of the way, half of the bytes; `strip.ts back` restores them.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { npm } from './npm.ts';

const MODULES = 'node_modules';
/** npm ignores names that begin with a dot. */
const ASIDE = `${MODULES}/.stripped`;

/** Tests, sources that are also shipped compiled, types, source maps, documentation, pictures, and builds not for Node.js. */
const NOT_LOADED = [
  /(^|\/)(tests?|__tests__|bench(mark)?s?|examples?|docs|coverage|browser|react-native|umd|\.github|\.vscode)\//,
  /\.(map|[cm]?ts|md|markdown|html|ya?ml|tsbuildinfo)$/,
  /\.(gif|ico|jpe?g|png|svg)$/,
];

/** ES modules beside CommonJS ones: only the packages that the service itself imports are loaded as such. */
const ES_MODULES = /^dist\/esm\/|\.mjs$/;

/** Sources of glob and lru-cache, which are loaded minified: `index.js` beside `index.min.js`. */
const SOURCE = /^(dist\/(?:commonjs|esm)\/.*)\.js$/;

/** Builds for browsers and other programs beside the one that the service loads, and schemas beside sources, which `dist` has, too. */
const OTHER_BUILDS =
  /^(@e965\/xlsx\/(bin\/|dist\/|xlsx\.js$|xlsxworker)|ajv\/lib\/|chinese-conv\/dist\/index\.cjs$)/;

/** Licence texts must stay; some packages have theirs only in the readme. */
const NOTICE = /^(licen[cs]e|copying|notice|copyright)/i;
const README = /^readme/i;

/** The folders of all packages in a release. */
async function bundled(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(
    ...npm(['ls', '--omit=dev', '--all', '--parseable', '--no-json']),
  );
  const [, ...folders] = stdout.trim().split('\n');
  return [...new Set(folders)].map((folder) => relative('.', folder));
}

/** Paths of the package's files, relative to its folder, without those of packages inside it. */
async function filesOf(folder: string, others: readonly string[]): Promise<readonly string[]> {
  const inside = others.filter((each) => each.startsWith(join(folder, MODULES)));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) => entry.isFile() && !inside.some((each) => `${entry.parentPath}/`.startsWith(`${each}/`)),
    )
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

async function strip(): Promise<void> {
  const folders = await bundled();
  const imported: readonly string[] = JSON.parse(await readFile('package.json', 'utf8')).bundleDependencies;
  for (const folder of folders) {
    const files = await filesOf(folder, folders);
    const needed = files.some((path) => NOTICE.test(path)) ? NOTICE : README;
    const isImported = imported.some((name) => join(MODULES, name) === folder);
    const patterns = isImported ? NOT_LOADED : [...NOT_LOADED, ES_MODULES];
    const hasMinified = (path: string) =>
      SOURCE.test(path) && files.includes(path.replace(SOURCE, '$1.min.js'));
    const aside = files.filter(
      (path) =>
        !needed.test(path) &&
        (hasMinified(path) ||
          patterns.some((pattern) => pattern.test(path)) ||
          OTHER_BUILDS.test(join(relative(MODULES, folder), path))),
    );
    for (const path of aside) await move(join(folder, path), join(ASIDE, relative(MODULES, folder), path));
  }
}

async function restore(): Promise<void> {
  for (const entry of await readdir(ASIDE, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    await move(path, join(MODULES, relative(ASIDE, path)));
  }
  await rm(ASIDE, { recursive: true, force: true });
}

await (process.argv.includes('back') ? restore() : strip());
