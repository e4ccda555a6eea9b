/** What `GET /portions?description=TEXT` answers; `lookups.test.ts` has what it has in common with others. */
import { expect, test } from 'vitest';
import { serviceForAll } from '../support/lifetime.ts';
import { ask, catalogOf, food, startService } from '../support/service.ts';

const service = serviceForAll(async () =>
  startService(
    await catalogOf([
      food('Egg, whole, raw', {
        portions: [
          { portion: '1 large', grams: '50' },
          { portion: '1 cup, chopped', grams: '136' },
          { portion: '1 tbsp', grams: '8.5' },
        ],
      }),
      food('50% "Käse" & <b>\\?#+\n', { portions: [{ portion: '1 "Stück" <i>\n</i> 🧀', grams: '0.001' }] }),
    ]),
  ),
);

const portionsOf = (description: string): string => `/portions?${new URLSearchParams({ description })}`;

test('the portions of exactly this description, in their order', async () => {
  expect((await ask(service, portionsOf('Egg, whole, raw'))).body).toBe(
    '[{"portion":"1 large","grams":50},{"portion":"1 cup, chopped","grams":136},{"portion":"1 tbsp","grams":8.5}]',
  );
});

test('description and portions may have special characters', async () => {
  const { body } = await ask(service, portionsOf('50% "Käse" & <b>\\?#+\n'));
  expect(JSON.parse(body)).toEqual([{ portion: '1 "Stück" <i>\n</i> 🧀', grams: 0.001 }]);
  expect((await ask(service, portionsOf('50% "Ka\u0308se" & <b>\\?#+\n'))).body).toBe(body);
});
