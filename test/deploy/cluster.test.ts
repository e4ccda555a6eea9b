/** The files of `deploy/cluster` in the real programs: a short form of `npm run torture -- cluster`. */
import { expect, test } from 'vitest';
import { clusterUnderFaults } from '../../load/torture/cluster.ts';
import { describeWithCluster } from '../support/requirements.ts';

describeWithCluster('a cluster', () => {
  test('answers while the primary is switched over and killed, and loses no import', {
    timeout: 1_200_000,
  }, async () => {
    const { figures } = await clusterUnderFaults({
      faults: ['switched over by Patroni', 'the primary killed'],
      source: 'data/starter-foods.csv',
      clients: 4,
      rounds: 1,
      compared: 0,
    });
    const judged = figures.filter(({ holds }) => holds !== undefined);
    expect(judged.length).toBeGreaterThan(5);
    expect(judged.filter(({ holds }) => !holds)).toEqual([]);
  });
});
