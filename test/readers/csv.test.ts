import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { FoodRecord } from '#core';
import { readFoods } from '#tables';
import { collect } from '../support/collect.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { foodOf, refusalOf } from '../support/import.ts';

const EGG = 'Egg,143,12.56,0.72,3.126,3.658,1.911';
const ONE = `${HEADER}\n${EGG}`;
const EGG_FOOD = foodOf('Egg', {
  ...{ kcal: '143', protein_g: '12.56', carbohydrate_g: '0.72' },
  ...{ fa_sat_g: '3.126', fa_mono_g: '3.658', fa_poly_g: '1.911' },
});

const folder = temporaryFolder();

const read = async (content: string | Uint8Array): Promise<FoodRecord[]> =>
  collect(readFoods(await folder.save(content), undefined, { nutrients: false }));

const errorOf = async (content: string | Uint8Array): Promise<string> =>
  (await refusalOf([await folder.save(content)])).replace(/^Data file ".*?"/, 'FILE');

describe('a CSV file may', () => {
  it.each<[string, string, FoodRecord[]?]>([
    ['end without a line break', `${HEADER}\n${EGG}`],
    ['end with blank lines', `${HEADER}\n${EGG}\n\n\n`],
    ['end with blanks and the end of file of MS-DOS', `${HEADER}\n${EGG}\n \t\n\x1a`],
    ['end its header alone with a separator', `${HEADER},\n${EGG}\n`],
    ['end its header with more separators than its rows', `${HEADER},,\n${EGG},\n`],
    ['have notes below the foods', `${HEADER}\n${EGG}\n\nSource: the canteen, 2nd\n* estimated\nPer 100 g\n`],
    ['have empty cells after the last column', `${HEADER}\n${EGG},,\n`],
    ['have spaces around its headings', `${HEADER.replaceAll(',', ' , ')}\n${EGG}\n`],
    ['have other columns', `id,${HEADER},note\n7,${EGG},"a, b"\n`],
    ['leave figures empty', `${HEADER}\nEgg,,,,,,\n`, [foodOf('Egg')]],
    ['have no food', `${HEADER}\n`, []],
  ])('%s', async (_what, content, foods = [EGG_FOOD]) => expect(await read(content)).toEqual(foods));

  test('have a column of popularity anywhere, with empty cells', async () => {
    const rows = ['12', '', '0', '+0.50', '9'.repeat(400)].map((cell, i) => `${cell},${'*'.repeat(i)}${EGG}`);
    const foods = await read([`popularity,${HEADER}`, ...rows].join('\n'));
    expect(foods.map(({ popularity }) => popularity)).toEqual([12, undefined, 0, 0.5, Number.MAX_VALUE]);
    expect(foods[1]).toEqual({ ...EGG_FOOD, description: `*${EGG_FOOD.description}` });
  });

  test('have the columns of food after thousands of others', async () => {
    const others = Array.from({ length: 16_377 }, (_, i) => `c${i},`).join('');
    const content = `${others}${HEADER}\n${','.repeat(16_377)}${EGG}`;
    expect(await read(content)).toEqual([EGG_FOOD]);
  });

  test('have commas, quotes and line breaks inside quoted cells, and quotes inside others', async () => {
    const foods = await read(`${HEADER}\n"Egg, ""whole""\nraw",1,2,3,4,5,6\nPizza 14" thin,1,2,3,4,5,6\n`);
    expect(foods.map(({ description }) => description)).toEqual(['Egg, "whole"\nraw', 'Pizza 14" thin']);
  });

  test('have any text, which is read as written', async () => {
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    // Of marks alone, some stand for no name.
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((each) => !/^\s*\p{P}+\s*$/u.test(each));
    const rows = fc.uniqueArray(text, { maxLength: 30 });
    const readBack = fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n'), async (texts, end) => {
      const lines = texts.map((description) => `${quoted(description)},1,2,3,4,5,6`);
      const foods = await read([HEADER, ...lines, ''].join(end));
      expect(foods.map((food) => food.description)).toEqual(texts.filter((each) => each !== ''));
    });
    await fc.assert(readBack, { numRuns: 200 });
  });
});

describe('a CSV file is refused, with the place of the fault, if it', () => {
  it.each([
    [
      'has popularity twice',
      `popularity,${HEADER},popularity\n5,${EGG},6\n`,
      'FILE, line 1: columns A, "popularity", and I, "popularity", fit popularity equally well, but differ: line 2 has "5" and "6". Rename one of the two.',
    ],
    ['is cut off', `${ONE}\nEgg`, 'FILE, line 3: 1 cell where the header names 7.'],
    [
      'is cut off inside figures',
      `${ONE}\nEgg of a duck,143`,
      'FILE, line 3: 2 cells where the header names 7. Give each row a cell for every name, even an empty one.',
    ],
    ['has a note among foods', `${ONE}\nSource: x\n${EGG}\n`, 'line 3: 1 cell where the header names 7.'],
    ['has a short row', `${HEADER},\n${EGG.slice(0, -6)}\n`, 'line 2: 6 cells where the header names 8.'],
    [
      'has a fault below a cell of lines',
      `${HEADER}\n"a\nb\nc",1,2,3,4,5,6\nEgg,x,2,3,4,5,6\n`,
      'line 5, column kcal: "x"',
    ],
  ])('%s', async (_what, content, message) => expect(await errorOf(content)).toContain(message));

  it('is in Windows-1252', async () => {
    const content = Buffer.from(`${HEADER}\n${EGG}\n\xb5g`, 'latin1');
    expect(await errorOf(content)).toBe(
      'FILE, line 3: the text is not UTF-8. As Windows-1252 it has the word "µg": ' +
        'if that is right, import it with --encoding windows-1252, or save it as CSV in UTF-8.',
    );
  });

  const inOther = ['K\x83\x81se', '\xcc\xee\xeb\xee\xea\xee', '\xbc\xa6\xb5\xb0', '\xb4\xdf\xb0\xa1'];
  it.each([
    ...inOther.map((name) => Buffer.from(`${ONE}\n${name},1,2,3,4,5,6\n`, 'latin1')),
    Buffer.from(`${ONE}\nKä`).subarray(0, -1),
  ])('is in an unknown encoding, or ends inside a character (%#)', async (content) => {
    expect(await errorOf(content)).toBe(
      'FILE, line 3: the text is not UTF-8. Save the file as CSV in UTF-8, or import it with the name of its encoding: --encoding NAME.',
    );
  });
});
