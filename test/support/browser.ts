/** Headless Chromium, and a site on another loopback origin. */
import { createServer, type RequestListener } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
import { listen } from './listen.ts';
import { CHROMIUM } from './requirements.ts';

/** @param more arguments for Chromium */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    // Chromium has no sandbox for root. Others disable requests to its vendor, and spare processes, which every navigation
    // to another site started: a tenth of the processor time of a test. Names ending in `test` are of this machine.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--renderer-process-limit=1',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      ...more,
    ],
  });
}

export const EMPTY_PAGE: RequestListener = (_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>');

/** A site on its own origin; by default with one empty page. */
export async function startSite(listener = EMPTY_PAGE): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(listener);
  return { origin: await listen(server), close: () => void server.close().closeAllConnections() };
}
