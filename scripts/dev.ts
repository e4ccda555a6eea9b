/**
 * `npm run dev` runs the service and the page on two origins, as most users have them, and restarts each when its source changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';

const SERVICE_PORT = process.env.PORT || '3001';
const PAGE_PORT = Number(process.env.PAGE_PORT || 5173);
const COMPILER = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Not `dist`, so that tests can run at the same time. */
const OUT = '.dev';

/**
 * The font is outside the page's root. A build gives it one address, but here the page would preload it from an address that
 * does not exist.
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
  // After the first compilation the service starts, and then watches its own files.
  if (service === undefined && /Found \d+ error/.test(String(chunk))) service = startService();
});
process.stdout.write(`the page is at ${origin}/\n`);

function startService(): ChildProcess {
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', `${OUT}/cli/main.js`, 'serve'], {
    // In development the service does not serve the built page, which could be mistaken for this one.
    env: { ALLOWED_ORIGIN: origin, ...process.env, NODE_ENV: 'development', PORT: SERVICE_PORT },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
}

/** Ends the process group, because compiler and watcher have children. */
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
