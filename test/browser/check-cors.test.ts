/**
 * Compares `check-cors` with Chromium: every case must have the same verdict and the same requests, and the same ports
 * must be out of reach.
 */
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLOCKED_PORTS, unreachable } from '../../src/cors-check/reachable.ts';
import { shared } from '../support/client-page.ts';
import { CASES, ORIGIN_CASES, randomCases } from '../support/cors-cases.ts';
import { CorsServers } from '../support/cors-servers.ts';
import { describeWithChromium } from '../support/requirements.ts';

describeWithChromium('a browser and check-cors', () => {
  let servers: CorsServers;
  let page: Page;

  beforeAll(async () => {
    servers = await CorsServers.start();
    page = await (await shared()).browser.newPage();
    await page.goto(`${servers.page}/`);
  });
  afterAll(async () => {
    await page.close();
    await servers.close();
  });

  test(`agree in ${CASES.length} cases, and send the same requests`, async () => {
    expect(await servers.differences(page, CASES)).toEqual([]);
  });

  test('agree for a sandboxed frame, whose origin is null', async () => {
    const frame = await sandboxed(page);
    const cases = ORIGIN_CASES.filter(({ credentials }) => credentials !== true);
    expect(await servers.differences(frame, cases, 'null')).toEqual([]);
  });

  test('agree on 400 random answers', async () => {
    expect(await servers.differences(page, randomCases(400, 11))).toEqual([]);
  });

  test('agree on the ports that no page may reach', async () => {
    const near = [...BLOCKED_PORTS].flatMap((port) => [port - 1, port, port + 1]);
    const ports = [...new Set(near)].filter((port) => port >= 0 && port <= 65535);
    const refused = new Set<number>();
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'net::ERR_UNSAFE_PORT')
        refused.add(Number(new URL(request.url()).port));
    });
    await page.evaluate(
      (all) => Promise.allSettled(all.map((port) => fetch(`http://127.0.0.1:${port}/`, { mode: 'no-cors' }))),
      ports.filter((port) => port !== 80),
    );
    const ours = ports.filter(
      (port) => unreachable(new URL(`http://127.0.0.1:${port}/`), servers.page) !== undefined,
    );
    const inOrder = (some: Iterable<number>) => [...some].toSorted((a, b) => a - b);
    await expect.poll(() => inOrder(refused)).toEqual(inOrder(ours));
  });
});

/** A frame whose origin is `null`. */
async function sandboxed(page: Page): Promise<Frame> {
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.srcdoc = '<title>no origin</title>';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    return loaded.then(() => {});
  });
  await expect.poll(() => page.frames().length).toBe(2);
  const [, frame] = page.frames();
  if (frame === undefined) throw new Error('no frame');
  return frame;
}
