/**
 * `npm run dev`: the service and the page on two origins, each restarted when its source changes. So the page is always
 * on another origin than the service, as it is for most users.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';

const SERVICE_PORT = process.env.PORT || '3001';
const PAGE_PORT = Number(process.env.PAGE_PORT || 5173);
const COMPILER = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Apart from the build, so that tests can run beside it. */
const OUT = '.dev';

/**
 * The font lies outside the page's root. A build gives it one address; here the styles take it from another one than
 * the page would preload, at which there is none.
 */
const withoutPreload: Plugin = {
  name: 'without-preload',
  transformIndexHtml: (html) => html.replace(/<link\s+rel="preload"[^>]*>/, ''),
};

process.env.VITE_API ||= `http://localhost:${SERVICE_PORT}/`;
const page = await createServer({
  root: 'client',
  configFile: 'client/vite.config.ts',
  plugins: [withoutPreload],
  server: { port: PAGE_PORT, strictPort: true, host: 'localhost' },
});
await page.listen();
const origin = `http://localhost:${PAGE_PORT}`;

let service: ChildProcess | undefined;
const compiler = spawn(
  process.execPath,
  [COMPILER, '-p', 'tsconfig.build.json', '--outDir', OUT, '--watch', '--preserveWatchOutput'],
  { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
);
compiler.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk);
  // The service starts after the first compilation; from then on it watches its own files.
  if (service === undefined && /Found \d+ error/.test(String(chunk))) service = startService();
});
process.stdout.write(`the page is at ${origin}/\n`);

function startService(): ChildProcess {
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', `${OUT}/cli/main.js`, 'serve'], {
    // The page is at its own origin; one that was built before would only be mistaken for it.
    env: { ALLOWED_ORIGIN: origin, ...process.env, NODE_ENV: 'development', PORT: SERVICE_PORT },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
}

/** Compiler and watcher have children of their own; a group of processes ends as one. */
function end(child: ChildProcess | undefined): void {
  if (child?.pid === undefined || child.exitCode !== null) return;
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    end(service);
    end(compiler);
    void page.close().then(() => process.exit());
  });
}
