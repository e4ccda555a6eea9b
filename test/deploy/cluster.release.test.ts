/** The files of `deploy/cluster` in the real programs: a short form of `npm run torture -- cluster`. */
import { expect, test } from 'vitest';
import { clusterUnderFaults } from '../../load/torture/cluster.ts';
import { describeWithCluster } from '../support/requirements.ts';

describeWithCluster('a cluster', () => {
  test('answers while the primary is killed, and loses no import', {
    timeout: 1_200_000,
  }, async () => {
    const figures = await clusterUnderFaults({
      faults: ['the primary killed'],
      source: 'data/starter-foods.csv',
      clients: 4,
      rounds: 1,
    });
    const judged = figures.filter(({ holds }) => holds !== undefined);
    expect(judged).toHaveLength(3);
    expect(judged.filter(({ holds }) => !holds)).toEqual([]);
  });
});
