/** Searches by words in scripts without blanks between words, and for letters that are spelled out. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FoodIndex } from '#engine';
import { pairsOf } from '../support/cases.ts';
import { indexOf as indexOfFoods } from '../support/index.ts';
import { seeded } from '../support/random.ts';
import { describeWithShared, SHARED } from '../support/requirements.ts';
import { numbered } from '../support/service.ts';
import { byWords, typed } from './like-rules.ts';

const indexOf = (descriptions: readonly string[]): Promise<FoodIndex> => indexOfFoods(numbered(descriptions));
const TEXTS = 300;
const LONGEST = 8;

describe('words without blanks between them', async () => {
  const foods =
    '红烧牛肉面|牛肉|水牛|面条|バター 有塩|ｷｳｲ|닭고기 볶음|ข้าวผัดกุ้ง|DHA強化卵|Beef|ＭＩＬＫ ティー|雞蛋'.split(
      '|',
    );
  const index = await indexOf(foods);
  const found = (text: string) => byWords(index, text).map((food) => foods[food]);

  test.each(
    pairsOf(`
      牛肉 → 牛肉, 红烧牛肉面 | (牛肉) → 牛肉, 红烧牛肉面 | 牛 → 水牛, 牛肉, 红烧牛肉面 | 牛肉汤面 → 牛肉, 红烧牛肉面 | 紅燒牛肉麵 → 牛肉, 红烧牛肉面 | 鸡蛋 → 雞蛋
      ばたー → バター 有塩 | ﾊﾞﾀｰ → バター 有塩 | キウイ → ｷｳｲ | きぅい → ｷｳｲ | 고기 → 닭고기 볶음 | กุ้ง → ข้าวผัดกุ้ง | 強化 → DHA強化卵
      dha → DHA強化卵 | ＢＥＥＦ → Beef | ｍｉｌ → ＭＩＬＫ ティー | milk ティー → ＭＩＬＫ ティー | milk → ＭＩＬＫ ティー | mi → ＭＩＬＫ ティー
      ＭＩＬＫ → ＭＩＬＫ ティー
    `),
  )('%s', (text, expected) => expect(found(text).toSorted().join(', ')).toBe(expected));
});

test('characters above U+FFFF stand behind all others, as their bytes do', async () => {
  const foods = '𠮷野|﨑|𩸽 焼き|ｶﾆ|Beef|鯖'.split('|');
  const index = await indexOf(foods);
  for (const [food, text] of foods.entries()) expect(byWords(index, text), text).toEqual([food]);
});

describe('commas and brackets of other scripts', () => {
  const found = async (foods: readonly string[], text: string, search = byWords) =>
    search(await indexOf(foods), text).map((food) => foods[food]);

  test.each(
    pairsOf(`
      牛奶 → 牛奶糖 + 牛奶，全脂 | 牛奶 → 牛奶糖 + 牛奶（全脂） | 牛奶 → 牛奶糖 + 牛奶；全脂 | 牛乳 → 牛乳糖 + 牛乳、普通 | 牛乳 → 牛乳寒天 + 牛乳　普通牛乳
      ミルク → ミルクティー + （乳）ミルク | حليب → حليبية + حليب، كامل الدسم | دودھ → دودھی + دودھ۔ مکمل
      दूध → दूधपाक + दूध। पूर्ण वसा
    `),
  )('end %s as Latin ones would', async (text, both) => {
    const foods = both.split(' + ');
    for (const search of [typed, byWords])
      expect(await found(foods, text, search)).toEqual(foods.toReversed());
  });

  test.each([
    ['，；（）', ',;()'],
    ['、；【】', ',;()'],
    ['،؛()', ',;()'],
    [',।()', ',;()'],
  ])('%s have the order of %s', async (others, latin) => {
    const random = seeded(66);
    const pick = (all: string) => all.split('|')[random(all.split('|').length)]!;
    const foods = Array.from({ length: 200 }, () =>
      Array.from({ length: 4 }, () => pick('Milk|milk|Cheese|cheese cake|raw|soup|with rice|fish')).reduce(
        (text, word) => text + pick(',|, |;| (|) | |-') + word,
      ),
    );
    const written = foods.map((each) => each.replace(/[,;()]/g, (mark) => others[latin.indexOf(mark)]!));
    const [one, other] = [await indexOf(foods), await indexOf(written)];
    for (const text of 'milk|mil|cheese|cheese cake|rice|fish raw|milk soup|w|e'.split('|'))
      for (const search of [typed, byWords]) expect(search(other, text), text).toEqual(search(one, text));
  });

  test('are found as typed alone, and so is what has them', async () => {
    const foods = ['牛奶，全脂', '牛奶,全脂', '牛奶、全脂', '全脂牛奶', 'حليب، كامل', 'か'];
    for (const text of ['，', ',', '、', '،', '奶，', '，全', '牛奶，全脂', '、全'])
      expect((await found(foods, text, typed)).toSorted(), text).toEqual(
        foods.filter((each) => each.includes(text)).toSorted(),
      );
    expect((await found(foods, '牛奶，全脂'))[0]).toBe('牛奶，全脂');
    expect((await found(foods, '（牛奶、全脂）'))[0]).toBe('牛奶、全脂');
    for (const text of ['，', '။', '（）']) expect(await found(foods, text)).toEqual([]);
  });
});

describe('letters that are spelled out', async () => {
  const foods = 'Bœuf haché|Boeuf bourguignon|Fløde|Æbler|Weißwurst|Käse|Blåbær|Łosoś'.split('|');
  const index = await indexOf(foods);

  test.each(
    pairsOf(`
      boeuf → 0, 1 | bœuf → 0, 1 | floede → 2 | flode → 2 | aebler → 3 | weisswurst → 4 | kaese → 5
      blaabaer → 6 | losos → 7
    `),
  )('%s', (text, expected) => expect(byWords(index, text).toSorted().join(', ')).toBe(expected));
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
      const first = typed(index, text);
      expect(first.length, text).toBeGreaterThan(0);
      expect(byWords(index, text).slice(0, first.length), text).toEqual(first);
    }
  });
});
