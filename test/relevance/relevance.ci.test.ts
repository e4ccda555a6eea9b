import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FoodEntry } from '#core';
import { readOtherNames } from '#service';
import { edited } from '../../load/tools/typed-texts.ts';
import { temporaryFolder } from '../support/files.ts';
import { seeded } from '../support/random.ts';
import { describeWithShared, SHARED } from '../support/requirements.ts';
import {
  BRANDED_DATA,
  type JudgedData,
  type Judgement,
  judge,
  judgedCatalog,
  meansOf,
  STARTER_DATA,
  USDA_DATA,
  USDA_PHRASES,
  USDA_SHOWN,
} from './judged-sets.ts';

interface Evaluator {
  score(ids: readonly string[], grades: Judgement['query']['grades']): { ndcg: number; hit1: number };
}

const folder = temporaryFolder();

/** Imports the foods for the tests of a group, and tests the means of each set. */
function testMeans(data: JudgedData): () => Awaited<ReturnType<typeof judgedCatalog>> {
  let catalog: Awaited<ReturnType<typeof judgedCatalog>>;
  beforeAll(async () => {
    catalog = await judgedCatalog(data, folder.path(`${data.name}.idx`));
  });
  it.each(data.sets)('has at least the means of $title', async (set) => {
    const means = meansOf(await judge(catalog, data, set));
    for (const [mean, least] of Object.entries(set.least))
      expect(means[mean as keyof typeof means], mean).toBeGreaterThanOrEqual(least);
  });
  return () => catalog;
}

describe('the order of the starter foods', () => void testMeans(STARTER_DATA));
describeWithShared('the order of 697,000 branded foods', () => void testMeans(BRANDED_DATA));

describeWithShared("the order of USDA's foods", () => {
  const catalog = testMeans(USDA_DATA);

  it('keeps the food of most phrases among the first five if a letter behind the first one is wrong', async () => {
    const [names, keyOf] = [await readOtherNames(undefined), await USDA_DATA.keys(USDA_DATA.file)];
    const random = seeded(32);
    const judgements = await judge(catalog(), USDA_DATA, USDA_PHRASES);
    const right = judgements.filter(({ hitOfFive, query }) => hitOfFive && /[a-z]{5}/.test(query.q));
    const kept = right.filter(({ query: { q }, found }) => {
      const { key } = found.find(({ grade }) => grade === 3) ?? {};
      const [word = ''] = q.match(/[a-z]{5,}/) ?? [];
      // The first letter is not corrected.
      const typed = q.replace(word, word.charAt(0) + edited(word.slice(1), random));
      const entries = JSON.parse(catalog().searchWords(typed, names).body.toString()) as FoodEntry[];
      return entries.slice(0, 5).some((entry) => keyOf(entry) === key);
    });
    expect(kept.length / right.length).toBeGreaterThanOrEqual(0.9);
  });

  it('has the same measure as by another evaluator', async () => {
    const { score } = (await import(pathToFileURL(`${SHARED}/relevance/eval-order.mjs`).href)) as Evaluator;
    for (const { query, ndcg, hit, found } of await judge(catalog(), USDA_DATA, USDA_SHOWN)) {
      const ids = found.map(({ key }) => key);
      const other = score(ids, query.grades);
      expect(ndcg, query.q).toBeCloseTo(other.ndcg, 9);
      expect(hit, query.q).toBe(other.hit1 === 1);
    }
  });
});
