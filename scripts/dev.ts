/**
 * `npm run dev` runs the service and the page on two origins, as most users have them, and restarts each when its source changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createServer, type Plugin } from 'vite';

const SERVICE_PORT = process.env.PORT || '3001';
const PAGE_PORT = Number(process.env.PAGE_PORT || 5173);
const LOADER = new URL('./typescript.mjs', import.meta.url).href;

/**
 * The font is outside the page's root. A build gives it one address, but here the page would preload it from an address that
 * does not exist.
 */
const withoutPreload: Plugin = {
  name: 'without-preload',
  transformIndexHtml: (html) => html.replace(/<link\s+rel="preload"[^>]*>/, ''),
};

/** A build writes the words of amounts beside the page. */
const amountWords: Plugin = {
  name: 'amount-words',
  configureServer({ middlewares }) {
    middlewares.use('/amounts.txt', (_request, response) => {
      createReadStream('data/amounts.txt').pipe(response);
    });
  },
};

process.env.VITE_API ||= `http://localhost:${SERVICE_PORT}/`;
const page = await createServer({
  root: 'client',
  configFile: 'client/vite.config.ts',
  plugins: [withoutPreload, amountWords],
  server: { port: PAGE_PORT, strictPort: true, host: 'localhost' },
});
await page.listen();
const origin = `http://localhost:${PAGE_PORT}`;

// It watches its own files, which Node.js loads as they are in `src`.
const flags = ['--import', LOADER, '--watch', '--watch-preserve-output'];
const service = spawn(process.execPath, [...flags, 'src/service/cli/main.ts', 'serve'], {
  // In development the service does not serve the built page, which could be mistaken for this one.
  env: { ALLOWED_ORIGIN: origin, ...process.env, NODE_ENV: 'development', PORT: SERVICE_PORT },
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
});
process.stdout.write(`the page is at ${origin}/\n`);

/** Ends the process group, because the watcher has a child. */
function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    end(service);
    void page.close().then(() => process.exit());
  });
}
