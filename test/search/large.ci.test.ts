/** Data sets of thousands of foods, whose answers take the oracle seconds. */
import { test } from 'vitest';
import { seeded } from '../support/random.ts';
import { describeWithShared, SR28_CSV } from '../support/requirements.ts';
import { rowsOfCsv } from '../support/rows.ts';
import { byWords, expectLikeRules, WORDS } from './like-rules.ts';

test('foods with the words of a text come in the order of the rules even if they are more than one batch', async () => {
  const random = seeded(17);
  const pick = (words: readonly string[]) => words[random(words.length)]!;
  const descriptions = Array.from({ length: 40_000 }, (_, i) => {
    const words = Array.from({ length: 1 + random(5) }, () => pick(WORDS));
    // In brackets, a number is no part of the name.
    return `${words.join(pick([' ', ', ']))} ${i % 2 === 0 ? `n${i % 35_000}` : `(n${i % 35_000})`}`;
  });
  const texts = 'olive oil|egg whole glass|e o|n34999 n1|n17 mi|berries as|zz olives'.split('|');
  await expectLikeRules(descriptions, texts, byWords);
});

describeWithShared('real data', () => {
  test('the engine answers like the rules applied to every match', async () => {
    const descriptions = (await rowsOfCsv(SR28_CSV)).map((row) => row.description ?? '');
    const random = seeded(3);
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz ,%(0');
    const parts = Array.from({ length: 500 }, () => {
      const description = descriptions[random(descriptions.length)] ?? '';
      const start = random(description.length);
      return description.slice(start, start + 1 + random(14));
    });
    await expectLikeRules(descriptions, [...letters, ...parts]);
  });
});
