/** Measures the order of answers on judged queries. */
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { edited } from '../../load/tools/typed-texts.ts';
import { readOtherNames } from '../../src/cli/open-catalog.ts';
import type { FoodEntry } from '../../src/foods/food.ts';
import { temporaryFolder } from '../support/files.ts';
import { seeded } from '../support/random.ts';
import { describeWithShared, SHARED } from '../support/requirements.ts';
import {
  BRANDED,
  BRANDED_DATA,
  type Judgement,
  judge,
  judgedCatalog,
  meansOf,
  STARTER,
  STARTER_DATA,
  USDA_DATA,
  USDA_OWN,
  USDA_PHRASES,
  USDA_SHOWN,
  USDA_WORDS,
} from './judged-sets.ts';

interface Evaluator {
  score(ids: readonly string[], grades: Judgement['query']['grades']): { ndcg: number; hit1: number };
}

const folder = temporaryFolder();

it('the order of the answers, as nDCG@10, is good for the starter foods', async () => {
  const catalog = await judgedCatalog(STARTER_DATA, folder.path('starter.idx'));
  const { ndcg, hit } = meansOf(await judge(catalog, STARTER_DATA, STARTER));
  expect(ndcg).toBeGreaterThanOrEqual(0.95);
  expect(hit).toBeGreaterThanOrEqual(0.9);
});

describeWithShared('the order of the answers, as nDCG@10,', () => {
  describe('on USDA data', () => {
    let catalog: Awaited<ReturnType<typeof judgedCatalog>>;
    let keyOf: (entry: FoodEntry) => string;
    beforeAll(async () => {
      catalog = await judgedCatalog(USDA_DATA, folder.path('usda.idx'));
      keyOf = await USDA_DATA.keys(USDA_DATA.file);
    });

    it.each([
      ['the 60', USDA_SHOWN, 0.83],
      ['163 queries never used to choose a rule', USDA_OWN, 0.8],
    ])('is good for %s', async (_name, set, least) => {
      expect(meansOf(await judge(catalog, USDA_DATA, set)).ndcg).toBeGreaterThanOrEqual(least);
    });

    it('is good for words in natural order, misspelt, and from other countries', async () => {
      const { ndcg, hit } = meansOf(await judge(catalog, USDA_DATA, USDA_WORDS));
      expect(ndcg).toBeGreaterThanOrEqual(0.86);
      expect(hit).toBeGreaterThanOrEqual(0.66);
    });

    it('is good for ingredients as people write them in recipes', async () => {
      const { hit, hitOfFive } = meansOf(await judge(catalog, USDA_DATA, USDA_PHRASES));
      expect(hit).toBeGreaterThanOrEqual(0.53);
      expect(hitOfFive).toBeGreaterThanOrEqual(0.75);
    });

    it('keeps the food of most phrases among the first five if a letter is wrong', async () => {
      const names = await readOtherNames(undefined);
      const random = seeded(32);
      const judgements = await judge(catalog, USDA_DATA, USDA_PHRASES);
      const right = judgements.filter(({ hitOfFive, query }) => hitOfFive && /[a-z]{5}/.test(query.q));
      const kept = right.filter(({ query: { q }, found }) => {
        const { key } = found.find(({ grade }) => grade === 3) ?? {};
        const [word = ''] = q.match(/[a-z]{5,}/) ?? [];
        const typed = q.replace(word, edited(word, random));
        const entries = JSON.parse(catalog.searchWords(typed, names).body.toString()) as FoodEntry[];
        return entries.slice(0, 5).some((entry) => keyOf(entry) === key);
      });
      expect(kept.length / right.length).toBeGreaterThanOrEqual(0.88);
    });

    it('is the same as by another evaluator', async () => {
      const { score } = (await import(pathToFileURL(`${SHARED}/relevance/eval-order.mjs`).href)) as Evaluator;
      for (const { query, ndcg, hit, found } of await judge(catalog, USDA_DATA, USDA_SHOWN)) {
        const ids = found.map(({ key }) => key);
        const other = score(ids, query.grades);
        expect(ndcg, query.q).toBeCloseTo(other.ndcg, 9);
        expect(hit, query.q).toBe(other.hit1 === 1);
      }
    });
  });

  it('is good for 697,000 branded foods, and repeats no name', async () => {
    const catalog = await judgedCatalog(BRANDED_DATA, folder.path('branded.idx'));
    const { ndcg, hit, distinct } = meansOf(await judge(catalog, BRANDED_DATA, BRANDED));
    expect(ndcg).toBeGreaterThanOrEqual(0.73);
    expect(hit).toBeGreaterThanOrEqual(0.97);
    expect(distinct).toBeGreaterThanOrEqual(9);
  });
});
