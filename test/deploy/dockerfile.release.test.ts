/**
 * Carries out the steps of the Dockerfile as plain commands in empty folders, without a container engine. It tests what is copied,
 * run and started, but not base images, layers and isolation. Instead of `npm ci`, it links the project's own packages.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { execute } from '../support/programs.ts';
import { linkOrCopy } from '../support/release.ts';
import { NOBODY } from '../support/requirements.ts';
import { waitFor } from '../support/wait.ts';

/** A stage: the folder with its files, its working directory, and its variables. */
interface Stage {
  readonly root: string;
  readonly environment: Record<string, string>;
  workdir: string;
}

const folder = temporaryFolder();
const FILE = await readFile('Dockerfile', 'utf8');

const INSTRUCTIONS = Array.from(
  FILE.replaceAll('\\\n', ' ').matchAll(/^([A-Z]+)\s+(.*)$/gm),
  ([, name = '', rest = '']) => ({ name, rest }),
);
const lastOf = (wanted: string): string => INSTRUCTIONS.findLast(({ name }) => name === wanted)?.rest ?? '';

const shell = (script: string, cwd = '.', env: NodeJS.ProcessEnv = process.env) =>
  execute('sh', ['-c', script], { cwd, env });

async function build(): Promise<Stage> {
  const stages: Record<string, Stage> = {};
  let stage: Stage = { root: '', environment: {}, workdir: '/' };
  for (const { name, rest } of INSTRUCTIONS) {
    const here = join(stage.root, stage.workdir);
    if (name === 'FROM') {
      const [, as = 'last'] = / AS (\S+)$/.exec(rest) ?? [];
      stage = { root: folder.path(as), environment: {}, workdir: '/' };
      stages[as] = stage;
      await mkdir(stage.root);
    } else if (name === 'WORKDIR') {
      stage.workdir = rest;
      await mkdir(join(stage.root, rest), { recursive: true });
    } else if (name === 'ENV')
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.environment[key] = value;
    else if (name === 'COPY') await copy(rest, here, stages);
    else if (name !== 'RUN') expect(['USER', 'CMD', 'HEALTHCHECK', 'EXPOSE', 'LABEL']).toContain(name);
    else if (rest.startsWith('npm ci ')) await linkModules(here);
    else await shell(rest, here, { ...cleanEnvironment(), ...stage.environment });
  }
  return stage;
}

/** Links the project's packages into the stage, but copies npm's list, which npm changes in place. */
async function linkModules(here: string): Promise<void> {
  await linkOrCopy('node_modules', join(here, 'node_modules'));
  const list = join(here, 'node_modules/.package-lock.json');
  await rm(list);
  await cp('node_modules/.package-lock.json', list);
  await rm(join(here, 'node_modules/.vite'), { recursive: true, force: true });
}

/** Copies files into a folder, or one folder of another stage to a new place. */
async function copy(rest: string, here: string, stages: Readonly<Record<string, Stage>>) {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  // The patterns of `.dockerignore` are names, paths and `*.ending`, at the top level.
  const packed = 'tar -c --anchored --no-wildcards-match-slash -X .dockerignore -T -';
  if (paths === '. .') return shell(`ls -A | ${packed} | tar -x -C ${here}`);
  const root = stages[from ?? '']?.root ?? '.';
  const [target = '', ...sources] = paths.split(' ').toReversed();
  const [source = '', ...others] = sources.map((path) => join(root, path));
  if (others.length === 0) return linkOrCopy(source, join(here, target));
  return shell(`cp -a ${source} ${others.join(' ')} ${join(here, target)}`);
}

const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const kept = /^(PATH$|npm_config_|https?_proxy|NODE_EXTRA)/i;
  const inherited = Object.entries(process.env).filter(([name]) => kept.test(name));
  return { ...Object.fromEntries(inherited), HOME: folder.path('home') };
};

describe('the Dockerfile', () => {
  let image: Stage;
  let service: ChildProcess;
  let port: number;

  const start = ([name = '', ...args]: readonly string[]): ChildProcess =>
    spawn(name, args, {
      cwd: join(image.root, image.workdir),
      env: { PATH: process.env.PATH ?? '', ...image.environment, PORT: String(port), HOST: '127.0.0.1' },
      stdio: 'ignore',
      // As in the container, it is another user.
      ...NOBODY,
    });
  const codeOf = async (child: ChildProcess): Promise<number> => (await once(child, 'exit'))[0];

  beforeAll(async () => {
    await mkdir(folder.path('home'));
    image = await build();
    port = await freePort();
    await chmod(folder.path(''), 0o755);
  });
  afterAll(() => service?.kill('SIGKILL'));

  test('has in its last stage only what the service needs', async () => {
    const entries = await readdir(join(image.root, image.workdir));
    expect(entries.toSorted()).toEqual(['LICENSE', 'data', 'dist', 'node_modules', 'package.json']);
    const modules = await readdir(join(image.root, image.workdir, 'node_modules'));
    expect(modules).toContain('fastify');
    for (const name of ['vite', 'typescript', 'vitest', 'react', 'playwright-core'])
      expect(modules).not.toContain(name);
  });

  test('runs the service as a user who owns none of its files', () => {
    expect(lastOf('USER')).toBe('node');
    const named = INSTRUCTIONS.map(({ name }) => name);
    expect(named.lastIndexOf('USER')).toBeGreaterThan(named.lastIndexOf('COPY'));
    expect(FILE).not.toContain('--chown');
  });

  test('starts a service that is healthy, answers, writes nothing, and ends gracefully', async () => {
    const before = await listOf(image.root);
    const health = JSON.parse(/CMD (\[.*\])$/.exec(lastOf('HEALTHCHECK'))?.[1] ?? '') as string[];
    expect(await codeOf(start(health))).toBe(1);
    service = start(JSON.parse(lastOf('CMD')) as string[]);
    const ended = once(service, 'exit');
    await waitFor(async () => (await codeOf(start(health))) === 0);
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
