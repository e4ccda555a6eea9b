/**
 * Twice as many requests as can be answered. None is answered from the cache: the texts come in turn, and are more than it
 * holds.
 */
import { texts } from '../tools/data-sets.ts';
import { spreadOf } from '../tools/measure.ts';
import { onService } from '../tools/process.ts';
import { askAll, askAtRate, askInTurn, knownAnswers } from './checked-requests.ts';
import { openMany } from './client.ts';
import { count, type Figure, measured, ms, none } from './verdict.ts';

/** s between two looks at whether answers are as before. */
const LOOK_EVERY = 0.2;

export function overload(
  foodData: string,
  { clients: many = 10_000, seconds = 60, number = 20_000 } = {},
): Promise<Figure[]> {
  return onService({ FOOD_DATA: foodData }, async ({ port }) => {
    const known = await knownAnswers(port, await texts(number));
    const some = await openMany(port, 64);
    const before = Math.min(10, seconds);
    await askInTurn(some, known, { seconds: before / 2 });
    const peak = (await askInTurn(some, known, { seconds: before })).right / before;
    const calm = await askAtRate(some, known, peak / 10, before / 2);

    const clients = await openMany(port, many);
    await askAll(clients, known);
    const tally = await askAtRate(clients, known, 2 * peak, seconds);
    const ended = performance.now();
    let back = Number.POSITIVE_INFINITY;
    while (back === Number.POSITIVE_INFINITY && performance.now() - ended < 10_000) {
      const after = await askAtRate(some, known, peak / 10, LOOK_EVERY);
      if (after.refused === 0 && spreadOf(after.times).p50 <= 2 * spreadOf(calm.times).p50)
        back = performance.now() - ended;
    }
    for (const client of [...clients, ...some]) client.close();
    const { right, refused, wrong, unanswered, times } = tally;
    const { p50, p99 } = spreadOf(times);
    return [
      { what: 'right answers a second, at the peak', value: count(peak) },
      { what: 'requests a second', value: count((right + refused + wrong + unanswered) / seconds) },
      { what: 'not sent, since no connection was free', value: count(tally.unsent / seconds) },
      { what: 'answered 503 a second', value: count(refused / seconds) },
      none('wrong or missing answers', wrong + unanswered),
      measured('right answers, as a share of the peak', right / seconds / peak, '≥', 0.8),
      { what: 'p50 and p99 of the right answers', value: `${ms(p50)}, ${ms(p99)}` },
      measured('back to normal after', back, '≤', 2000, ms),
    ];
  });
}
