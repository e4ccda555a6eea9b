/** The order that people mean, measured on judged queries: the project's own, and those of the folder `shared`. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import type { FoodEntry } from '../../src/food.ts';
import { describeWithShared, SHARED, SR28_CSV } from '../support/requirements.ts';
import { rowsOfCsv } from '../support/rows.ts';

interface Judged {
  readonly q: string;
  readonly grades: Readonly<Record<string, number>>;
}

interface Evaluator {
  score(ids: readonly string[], grades: Judged['grades']): { ndcg: number };
}

describeWithShared('the order of the answers, as nDCG@10 over SR28,', () => {
  let catalog: Awaited<ReturnType<typeof openCatalog>>;
  let evaluator: Evaluator;
  const idsOf = new Map<string, { id: string; kcal: number }[]>();

  beforeAll(async () => {
    catalog = await openCatalog(SR28_CSV);
    evaluator = await import(pathToFileURL(`${SHARED}/relevance/eval-order.mjs`).href);
    for (const row of await rowsOfCsv(SR28_CSV)) {
      const entry = { id: (row.ndb_no ?? '').padStart(5, '0'), kcal: Number(row.kcal) };
      idsOf.set(row.description ?? '', [...(idsOf.get(row.description ?? '') ?? []), entry]);
    }
  });

  const idOf = ({ description, kcal }: FoodEntry): string => {
    const ids = idsOf.get(description) ?? [];
    return (ids.find((each) => each.kcal === kcal) ?? ids[0])?.id ?? '';
  };

  // The first is the target; the second was never used to choose a rule.
  it.each([
    ['the 60 judged queries', `${SHARED}/relevance/relevance-dev.json`, 0.8],
    ['163 queries of our own', 'test/relevance/judged-queries.json', 0.77],
  ])('is good on %s', async (_name, file, least) => {
    const judged = JSON.parse(await readFile(file, 'utf8')) as Judged[];
    const scores = judged.map(({ q, grades }) => {
      const entries = JSON.parse(Buffer.from(catalog.search(q)).toString()) as FoodEntry[];
      return evaluator.score(entries.map(idOf), grades).ndcg;
    });
    expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeGreaterThanOrEqual(least);
  });
});
