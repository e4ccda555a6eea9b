/** Searches by words in scripts without blanks between words, and for letters that are spelled out. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { NO_OTHER_NAMES } from '#core';
import type { FoodIndex } from '#engine';
import { indexOf as indexOfFoods, placesIn } from '../support/index.ts';
import { seeded } from '../support/random.ts';
import { describeWithShared, SHARED } from '../support/requirements.ts';
import { numbered } from '../support/service.ts';

const indexOf = (descriptions: readonly string[]): Promise<FoodIndex> => indexOfFoods(numbered(descriptions));
const TEXTS = 300;
const LONGEST = 8;

describe('words without blanks between them', async () => {
  const foods =
    '红烧牛肉面|牛肉|水牛|面条|バター 有塩|ｷｳｲ|닭고기 볶음|ข้าวผัดกุ้ง|DHA強化卵|Beef|ＭＩＬＫ ティー|雞蛋'.split(
      '|',
    );
  const index = await indexOf(foods);
  const found = (text: string) =>
    placesIn(index.searchWords(text, NO_OTHER_NAMES).body).map((food) => foods[food]);

  test.each([
    ['牛肉', ['牛肉', '红烧牛肉面']],
    ['(牛肉)', ['牛肉', '红烧牛肉面']],
    ['牛', ['牛肉', '水牛', '红烧牛肉面']],
    ['牛肉汤面', ['牛肉', '红烧牛肉面']],
    ['紅燒牛肉麵', ['牛肉', '红烧牛肉面']],
    ['鸡蛋', ['雞蛋']],
    ['ばたー', ['バター 有塩']],
    ['ﾊﾞﾀｰ', ['バター 有塩']],
    ['キウイ', ['ｷｳｲ']],
    ['きぅい', ['ｷｳｲ']],
    ['고기', ['닭고기 볶음']],
    ['กุ้ง', ['ข้าวผัดกุ้ง']],
    ['強化', ['DHA強化卵']],
    ['dha', ['DHA強化卵']],
    ['ＢＥＥＦ', ['Beef']],
    ['ｍｉｌ', ['ＭＩＬＫ ティー']],
    ['milk ティー', ['ＭＩＬＫ ティー']],
    ['milk', ['ＭＩＬＫ ティー']],
    ['mi', ['ＭＩＬＫ ティー']],
    ['ＭＩＬＫ', ['ＭＩＬＫ ティー']],
  ])('%s', (text, expected) => {
    expect(found(text).toSorted()).toEqual(expected.toSorted());
  });
});

describe('letters that are spelled out', async () => {
  const foods = 'Bœuf haché|Boeuf bourguignon|Fløde|Æbler|Weißwurst|Käse|Blåbær|Łosoś'.split('|');
  const index = await indexOf(foods);

  test.each([
    ['boeuf', [0, 1]],
    ['bœuf', [0, 1]],
    ['floede', [2]],
    ['flode', [2]],
    ['aebler', [3]],
    ['weisswurst', [4]],
    ['kaese', [5]],
    ['blaabaer', [6]],
    ['losos', [7]],
  ])('%s', (text, expected) => {
    expect(placesIn(index.searchWords(text, NO_OTHER_NAMES).body).toSorted()).toEqual(expected);
  });
});

describeWithShared('whatever is found as typed', () => {
  test.each(['taiwan', 'japan'])('in the table of %s is found by words, and first', async (table) => {
    const random = seeded(48);
    const rows = readFileSync(`${SHARED}/data/languages/${table}.csv`, 'utf8').split('\n').slice(1);
    const descriptions = rows.flatMap((row) => /^"[^"]*","([^"]+)"/.exec(row)?.[1] ?? []);
    const index = await indexOf(descriptions);
    const words = descriptions.flatMap((each) => each.match(/[\u3041-\u30fa\u30fc-\u9fff]+/g) ?? []);
    for (let i = 0; i < TEXTS; i++) {
      const word = words[random(words.length)] ?? '';
      const at = random(word.length);
      const text = word.slice(at, at + 1 + random(LONGEST));
      const typed = placesIn(index.search(text));
      expect(typed.length, text).toBeGreaterThan(0);
      expect(placesIn(index.searchWords(text, NO_OTHER_NAMES).body).slice(0, typed.length), text).toEqual(
        typed,
      );
    }
  });
});
