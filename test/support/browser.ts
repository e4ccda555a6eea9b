/** Headless Chromium, and a site on another loopback origin. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './requirements.ts';

/** @param more arguments for Chromium */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    // Chromium has no sandbox for root. The other arguments disable requests to its vendor.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/** A site on an origin of its own; by default with one empty page. */
export async function startSite(
  listener: RequestListener = (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>A page on another origin</title>');
  },
): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
