/** The index as tables, whose answers test/catalogs/postgres.ci.test.ts compares: what their keys are. */
import { expect, test } from 'vitest';
import { FoodIndex } from '#engine';
import { MAX_KEY, textRows } from '../../src/postgres/text-rows.ts';
import { sectionsOf } from '../support/index.ts';
import { numbered } from '../support/service.ts';

test('keys stay short, however long the texts of many foods are', async () => {
  const descriptions = Array.from({ length: 900 }, (_, i) => `${i} ${'x'.repeat(300)} ${i % 7}`);
  const sections = await sectionsOf(numbered(descriptions));
  const index = new FoodIndex(sections);
  const lengths = Array.from(
    textRows(sections, (text) => index.best(text)),
    ({ key }) => key.length,
  );
  expect(Math.max(...lengths)).toBe(MAX_KEY + 1);
});
