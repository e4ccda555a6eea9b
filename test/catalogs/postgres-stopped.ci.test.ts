/** A service that is stopped for a while, as its machine may be suspended, answers what it was asked before and meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readFoods } from '#tables';
import { openMany, requestFor } from '../../load/torture/client.ts';
import { collect } from '../support/collect.ts';
import { serve } from '../support/command.ts';
import { Postgres } from '../support/postgres.ts';
import { load } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { TEST_LABEL } from '../support/service.ts';

const TEXTS = ['egg', 'e', 'whole+egg&match=words', 'mlik&match=words', 'zzz', 'oil+olive&match=words'];

describeWithPostgres('a service that is stopped for 2 s again and again', () => {
  test('refuses no search', async () => {
    const server = await Postgres.start();
    onTestFinished(() => server.remove());
    await load(server.url(), await collect(readFoods('data/starter-foods.csv')), TEST_LABEL);
    const service = await serve([], { FOOD_DATA: server.url() });
    onTestFinished(async () => {
      service.signal('SIGCONT');
      await service.stop();
    });
    const clients = await openMany(service.port, 40);
    const answers: Record<string, number> = {};
    let isOver = false;
    let sent = 0;
    const asking = clients.map(async (client) => {
      while (!isOver) {
        const target = `/api/food?n=${sent++}&q=${TEXTS[sent % TEXTS.length]}`;
        const answer = await client.answerTo(requestFor(target));
        const kind = answer?.status === 200 ? '200' : `${answer?.status} ${answer?.body}`;
        answers[kind] = (answers[kind] ?? 0) + 1;
      }
    });
    for (let i = 0; i < 5; i++) {
      await wait(300);
      service.signal('SIGSTOP');
      await wait(2000);
      service.signal('SIGCONT');
    }
    await wait(300);
    isOver = true;
    await Promise.all(asking);
    expect(answers).toEqual({ 200: expect.any(Number) });
    expect(service.errors(), 'warnings').not.toContain('"level":40');
    for (const client of clients) client.close();
  });
});
