/**
 * Carries out the steps of the Dockerfile as plain commands in empty folders, without a container engine. It tests what is copied,
 * run and started, but not base images, layers and isolation. Instead of `npm ci`, it links the project's own packages.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { waitFor } from '../support/wait.ts';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** A stage: the folder with its files, its working directory, and its variables. */
interface Stage {
  readonly root: string;
  workdir: string;
  readonly environment: Record<string, string>;
  command?: readonly string[];
  health?: readonly string[];
  user?: string;
}

const folder = temporaryFolder();
const FILE = await readFile('Dockerfile', 'utf8');

const instructions: Instruction[] = FILE.replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest };
  });

const shell = (script: string, cwd = '.', env: NodeJS.ProcessEnv = process.env) =>
  promisify(execFile)('sh', ['-c', script], { cwd, env });

async function build(): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  const names = new Map<string, Stage>();
  for (const { name, rest } of instructions) {
    const stage = stages.at(-1);
    if (name === 'FROM') {
      const [, , as] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      const begun: Stage = { root: folder.path(`stage${stages.length}`), workdir: '/', environment: {} };
      await mkdir(begun.root);
      stages.push(begun);
      if (as !== undefined) names.set(as, begun);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} before FROM`);
    await carryOut({ name, rest }, stage, names);
  }
  return stages;
}

async function carryOut(
  { name, rest }: Instruction,
  stage: Stage,
  names: Map<string, Stage>,
): Promise<unknown> {
  const here = join(stage.root, stage.workdir);
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest;
      await mkdir(join(stage.root, rest), { recursive: true });
      return;
    case 'ENV':
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.environment[key] = value;
      return;
    case 'COPY':
      return copy(rest, here, names);
    case 'RUN':
      if (rest.startsWith('npm ci ')) return linkModules(here);
      return shell(rest, here, { ...cleanEnvironment(), ...stage.environment });
    case 'USER':
      stage.user = rest;
      return;
    case 'CMD':
      stage.command = JSON.parse(rest) as string[];
      return;
    case 'HEALTHCHECK':
      stage.health = JSON.parse(/CMD (\[.*\])$/.exec(rest)?.[1] ?? '') as string[];
      return;
    case 'EXPOSE':
    case 'LABEL':
      return;
    default:
      throw new Error(`${name} is not carried out here`);
  }
}

/** Links the project's packages into the stage, but copies npm's list, which npm changes in place. */
async function linkModules(here: string): Promise<void> {
  await linkOrCopy('node_modules', join(here, 'node_modules'));
  const list = join(here, 'node_modules/.package-lock.json');
  await rm(list);
  await cp('node_modules/.package-lock.json', list);
  await rm(join(here, 'node_modules/.vite'), { recursive: true, force: true });
}

/** Makes links if the file system allows it, in a tenth of the time. */
const linkOrCopy = (from: string, to: string) =>
  shell(`mkdir ${to} && (cp -al ${from}/. ${to} || cp -a ${from}/. ${to})`);

/** Copies files into a folder, or one folder of another stage to a new place. */
async function copy(rest: string, here: string, names: Map<string, Stage>): Promise<unknown> {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  // The patterns of `.dockerignore` are names, paths and `*.ending`, at the top level.
  if (paths === '. .')
    return shell(
      `ls -A | tar -c --anchored --no-wildcards-match-slash -X .dockerignore -T - | tar -x -C ${here}`,
    );
  const root = from === undefined ? '.' : (names.get(from)?.root ?? '');
  const [target = '', ...sources] = paths.split(' ').toReversed();
  const [source = '', ...others] = sources.map((path) => join(root, path));
  if (others.length === 0) return linkOrCopy(source, join(here, target));
  return shell(`cp -a ${source} ${others.join(' ')} ${join(here, target)}`);
}

/** The environment of a shell in the base image. */
const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: folder.path('home'),
  ...(Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_|NPM_CONFIG_|https?_proxy|NODE_EXTRA)/i.test(name),
    ),
  ) as Record<string, string>),
});

describe('the Dockerfile', () => {
  let image: Stage;
  let service: ChildProcess;
  /** If root runs the tests, the service runs as another user, as in the container. */
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const port = 20_000 + Math.floor(Math.random() * 10_000);

  const start = ([name = '', ...args]: readonly string[]): ChildProcess =>
    spawn(name, args, {
      cwd: join(image.root, image.workdir),
      env: { PATH: process.env.PATH ?? '', ...image.environment, PORT: String(port), HOST: '127.0.0.1' },
      stdio: 'ignore',
      ...nobody,
    });
  const codeOf = async (child: ChildProcess): Promise<number> => {
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };

  beforeAll(async () => {
    await mkdir(folder.path('home'));
    const stages = await build();
    const last = stages.at(-1);
    if (last === undefined) throw new Error('no stage');
    image = last;
    await chmod(folder.path(''), 0o755);
  }, 180_000);
  afterAll(() => service?.kill('SIGKILL'));

  test('has in its last stage only what the service needs', async () => {
    const entries = await readdir(join(image.root, image.workdir));
    expect(entries.toSorted()).toEqual(['LICENSE', 'data', 'dist', 'node_modules', 'package.json']);
    const modules = await readdir(join(image.root, image.workdir, 'node_modules'));
    expect(modules).toContain('fastify');
    for (const name of ['vite', 'typescript', 'vitest', 'react', 'playwright-core'])
      expect(modules).not.toContain(name);
  });

  test('names its version and its licence', async () => {
    const { version, license } = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, string>;
    const { rest } = instructions.find(({ name }) => name === 'LABEL') ?? { rest: '' };
    expect(rest).toContain(`image.version="${version}"`);
    expect(rest).toContain(`image.licenses="${license}"`);
  });

  test('runs the service as a user who owns none of its files', () => {
    expect(image.user).toBe('node');
    const named = instructions.map(({ name }) => name);
    expect(named.lastIndexOf('USER')).toBeGreaterThan(named.lastIndexOf('COPY'));
    expect(FILE).not.toContain('--chown');
  });

  test('starts a service that is healthy, answers, writes nothing, and ends gracefully', async () => {
    const before = await listOf(image.root);
    expect(await codeOf(start(image.health ?? []))).toBe(1);
    service = start(image.command ?? []);
    const ended = once(service, 'exit');
    await waitFor(async () => (await codeOf(start(image.health ?? []))) === 0);
    const answer = await fetch(`http://127.0.0.1:${port}/api/food?q=quail`);
    expect(await answer.text()).toContain('Quail egg, whole, raw');
    expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-type')).toContain('text/html');
    service.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(await listOf(image.root)).toEqual(before);
  });
});

const listOf = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true })).map(String).toSorted();
