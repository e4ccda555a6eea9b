/** `npm run example -- NAME` starts an example, and a service whose answers it may read. Further arguments go to the example. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';

const [name = '', ...args] = process.argv.slice(3);
const port = process.env.PORT || '3001';
const pagePort = process.env.PAGE_PORT || '5173';
const origin = `http://localhost:${pagePort}`;
const service = `http://localhost:${port}`;

/** What ends with the example, or at a signal. */
const ends: (() => unknown)[] = [];
const endAll = (): void => ends.forEach((end) => void end());

function start(program: string, ...rest: string[]): ChildProcess {
  const child = spawn(program, rest, { stdio: 'inherit' });
  ends.push(() => child.kill());
  return child;
}

async function startService(): Promise<void> {
  const flags = ['--port', port, '--allowed-origin', origin, '--cors-routes', 'search,amounts'];
  const child = start(process.execPath, 'dist/service/cli/main.js', 'serve', ...flags);
  while (!(await fetch(`${service}/health/ready`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) process.exit(child.exitCode);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const announce = (query: string): void => console.log(`the example is at ${origin}/${query}`);

async function servePage(root = `examples/${name}`): Promise<void> {
  const server = await createServer({
    root,
    configFile: false,
    server: { port: Number(pagePort), strictPort: true, host: 'localhost' },
    logLevel: 'warn',
  });
  ends.push(() => server.close());
  await server.listen();
  announce(`?api=${encodeURIComponent(service)}`);
}

/** Puts the page, the client and an index file into a folder. Nothing else is needed where it is served. */
async function serveFiles(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-static-'));
  // Files may still be written to it.
  ends.push(() => rm(folder, { recursive: true, maxRetries: 5 }));
  await cp('examples/static', folder, { recursive: true });
  for (const file of ['open-index.js', 'search-foods.js'])
    await cp(`dist/browser/${file}`, join(folder, file));
  const index = await fetch(`${service}/foods.idx`);
  await writeFile(join(folder, 'foods.idx'), Buffer.from(await index.arrayBuffer()));
  await servePage(folder);
}

async function serveByNginx(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-nginx-'));
  // If root starts nginx, its workers run as another user.
  await chmod(folder, 0o755);
  const conf = await readFile('examples/nginx/nginx.conf', 'utf8');
  const changed = conf.replace(':5173', `:${pagePort}`).replace(':3001', `:${port}`);
  await writeFile(join(folder, 'nginx.conf'), changed);
  await cp('examples/phone', join(folder, 'page'), { recursive: true });
  const nginx = start('nginx', '-p', folder, '-c', 'nginx.conf', '-e', 'stderr');
  announce('?api=/');
  await once(nginx, 'exit');
  await rm(folder, { recursive: true });
  endAll();
}

async function runPython(): Promise<void> {
  const program = process.platform === 'win32' ? 'py' : 'python3';
  const python = start(program, 'examples/python/foods.py', args[0] ?? 'egg', service);
  await once(python, 'exit');
  endAll();
}

const EXAMPLES: Readonly<Record<string, () => Promise<void>>> = {
  plain: () => servePage(),
  react: () => servePage(),
  phone: () => servePage(),
  recipe: () => servePage(),
  static: serveFiles,
  nginx: serveByNginx,
  python: runPython,
};

const example = EXAMPLES[name];
if (example === undefined) {
  console.error(`Which example? npm run example -- ${Object.keys(EXAMPLES).join('|')}`);
  process.exitCode = 2;
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endAll);
  await startService();
  await example();
}
