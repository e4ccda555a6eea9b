/**
 * Short runs of `npm run torture`: every bound that does not depend on the machine must hold. A short soak would show no more
 * than `connections`.
 */
import { describe, expect, test } from 'vitest';
import { foodData, foodIndex } from '../load/tools/data-sets.ts';
import { clusterUnderFaults } from '../load/torture/cluster.ts';
import { connections } from '../load/torture/connections.ts';
import { idle } from '../load/torture/idle.ts';
import { malformed } from '../load/torture/malformed.ts';
import { newcomers, newcomersOfPostgres } from '../load/torture/newcomers.ts';
import { overload } from '../load/torture/overload.ts';
import { slowClients, unreadAnswers } from '../load/torture/slow-clients.ts';
import { stopping } from '../load/torture/stopping.ts';
import type { Figure } from '../load/torture/verdict.ts';
import { describeWithCluster } from './support/requirements.ts';

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  connections: () => connections({ open: 250, active: 50, seconds: 2 }),
  overload: async () => overload(await foodIndex(), { clients: 500, seconds: 0.4, number: 500 }),
  slow: () => slowClients({ slow: 50, rate: 50, calm: 1, rounds: 1, arriveIn: 1 }),
  unread: () => unreadAnswers({ deaf: 5, rate: 50 }),
  malformed: () => malformed({ requests: 1500 }),
  sigterm: () => stopping({ times: 3 }),
  idle,
};

/** These keep the processor busy all the time, so that parts beside them would measure that. */
const BUSY: typeof PARTS = {
  newcomers: async () => newcomers(await foodIndex(), { attackers: [64], arriving: 9 }),
  'newcomers-postgres': () => newcomersOfPostgres(foodData(), { attackers: [64], arriving: 9 }),
};

async function judge(part: () => Promise<Figure[]>): Promise<void> {
  const judged = (await part()).filter(({ holds, isMeasured }) => holds !== undefined && !isMeasured);
  expect(judged).not.toEqual([]);
  expect(judged.filter(({ holds }) => !holds)).toEqual([]);
}

describe('torture', () => {
  test.concurrent.each(Object.entries(PARTS))('%s', (_name, part) => judge(part));
  test.each(Object.entries(BUSY))('%s', (_name, part) => judge(part));
});

/** The files of `deploy/cluster` in the real programs. */
describeWithCluster('a cluster', () => {
  const run = { source: 'data/starter-foods.csv', clients: 4, rounds: 1 };
  test('answers while the primary is killed, and loses no import', { timeout: 1_200_000 }, () =>
    judge(() => clusterUnderFaults({ faults: ['the primary killed'], ...run })),
  );
});
