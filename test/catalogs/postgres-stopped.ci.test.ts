/** A service that is stopped for a while, as its machine may be suspended, answers what it was asked before and meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../support/command.ts';
import { Postgres } from '../support/postgres.ts';
import { load } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { answersOf, byWords, SearchLoop } from '../support/search-loop.ts';
import { ask, memoryCatalogOf, TEST_LABEL } from '../support/service.ts';
import { starterFoods } from '../support/starter-foods.ts';

const TEXTS = ['egg', 'e', 'zzz', ...['whole egg', 'mlik', 'oil olive'].map(byWords)];

describeWithPostgres('a service that is stopped for 2 s again and again', () => {
  test('refuses no search', async () => {
    const server = await Postgres.start();
    onTestFinished(() => server.remove());
    const foods = await starterFoods();
    await load(server.url(), foods, TEST_LABEL);
    const service = await serve([], { FOOD_DATA: server.url() });
    onTestFinished(async () => {
      service.signal('SIGCONT');
      await service.stop();
    });
    const answers = answersOf(await memoryCatalogOf(foods), TEXTS);
    const asking = new SearchLoop((target) => ask(service, target), answers, 40);
    for (let i = 0; i < 5; i++) {
      await pause(300);
      service.signal('SIGSTOP');
      await pause(2000);
      service.signal('SIGCONT');
    }
    await pause(300);
    const { failures, wrong, requests } = await asking.stop();
    expect([failures, wrong]).toEqual([{}, []]);
    expect(requests).toBeGreaterThan(0);
    expect(service.errors(), 'warnings').not.toContain('"level":40');
  });
});
