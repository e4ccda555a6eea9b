/** Compares `check-cors` with Chromium: every case must have the same verdict and the same requests. */
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namesToAllow } from '../../src/cors-check/fetch-rules.ts';
import { shared } from '../support/client-page.ts';
import { ORIGIN_CASES } from '../support/cors-cases/origins.ts';
import { randomCases } from '../support/cors-cases/random.ts';
import { CASES } from '../support/cors-cases.ts';
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

test('the random cases vary', () => {
  const random = randomCases(400, 11);
  expect(new Set(random.map(({ method }) => method)).size).toBe(5);
  expect(
    random.filter(({ headers = {} }) => namesToAllow(Object.entries(headers)).length > 0).length,
  ).toBeGreaterThan(100);
});
