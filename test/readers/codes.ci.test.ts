/** The codes of all products of a large table, in the spellings that people type. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readFoods } from '#tables';
import { collect } from '../support/collect.ts';
import { indexOf } from '../support/index.ts';
import { seeded } from '../support/random.ts';
import { describeWithShared } from '../support/requirements.ts';
import { PRODUCTS } from '../support/shared.ts';

const CODES = 500;

const spellingsOf = (code: string): string[] => {
  const digits = code.replace(/^0+/, '');
  return [
    code,
    digits,
    digits.padStart(13, '0'),
    digits.padStart(14, '0'),
    digits.padStart(20, '0'),
    ` ${code} `,
    code.replace(/(\d)(?=(\d{6})+$)/g, '$1 '),
    code.replace(/(\d{3})/g, '$1-'),
    code.split('').join('\u00a0'),
    code.replace(/(\d{4})/g, '$1 \u2013 '),
  ];
};

describeWithShared('the products of Open Food Facts, 2019', () => {
  test('are found by 500 random codes, each in ten spellings', async () => {
    const index = await indexOf(await collect(readFoods(PRODUCTS)));
    const rows = gunzipSync(readFileSync(PRODUCTS)).toString().split('\n');
    const random = seeded(55);
    for (let tried = 0; tried < CODES; ) {
      // Without quotes, the two first cells of the row.
      const [, code, name] = /^(\d+),([^",&]+),/.exec(rows[random(rows.length)] ?? '') ?? [];
      if (code === undefined || name === undefined || !/[1-9]/.test(code)) continue;
      tried++;
      for (const spelling of spellingsOf(code)) {
        const found = JSON.parse(Buffer.from(index.searchBarcode(spelling)).toString());
        expect(found, spelling).toContainEqual(expect.objectContaining({ description: name.trim() }));
      }
    }
  });
});
