/** The engine runs unchanged in a browser, in a worker, over the bytes of an index file. */
import { expect } from 'vitest';
import { writeIndex } from '#engine';
import { openCatalog } from '#service';
import { typedTexts } from '../../load/tools/typed-texts.ts';
import { bundled } from '../../scripts/bundle.ts';
import { startSite } from '../support/browser.ts';
import { test } from '../support/client-page.ts';
import { seeded } from '../support/random.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { ask } from '../support/service.ts';

const TEXTS = 1000;
const SEED = 31;

/** Parts of descriptions; and, after a slash, words as people type them. */
function textsOf(descriptions: readonly string[]): string[] {
  const random = seeded(SEED);
  const parts = Array.from({ length: TEXTS }, () => {
    const text = descriptions[random(descriptions.length)] ?? '';
    const start = random(text.length);
    return text.slice(start, start + 1 + random(12));
  });
  return [...parts, ...Array.from(typedTexts(descriptions, TEXTS, SEED), (text) => `/${text}`)];
}

describeWithChromium('the engine in a worker', () => {
  test(`gives ${2 * TEXTS} answers as the service does`, async ({ pages }) => {
    const foods = await openCatalog(undefined);
    const { index, label } = foods.loaded;
    const [worker, file] = [await bundled('test/browser/engine-worker.ts', 'iife'), writeIndex(index, label)];
    expect(worker).not.toMatch(/\bBuffer\b|\bnode:/);
    const site = await startSite((request, response) => {
      if (request.url === '/worker.js') response.setHeader('content-type', 'text/javascript').end(worker);
      else if (request.url === '/foods.idx') response.end(file);
      else response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>');
    });
    const page = await pages.blank();
    await page.goto(site.origin);
    const texts = textsOf(Array.from(foods.records(), ({ description }) => description));
    const answers = await page.evaluate(
      (asked: string[]) =>
        new Promise<string[]>((resolve, reject) => {
          const thread = new Worker('/worker.js');
          thread.onmessage = ({ data }) => resolve(data);
          thread.onerror = ({ message }) => reject(new Error(message));
          thread.postMessage({ address: '/foods.idx', texts: asked });
        }),
      texts,
    );
    site.close();
    for (const [i, text] of texts.entries()) {
      const query = text.startsWith('/') ? { q: text.slice(1), match: 'words' } : { q: text };
      const { body } = await ask(pages.service, `/api/food?${new URLSearchParams(query)}`);
      expect(answers[i], text).toBe(body);
    }
  });
});
