/** The files in `test/files`, as programs write them, and bad ones: their foods, or why they are refused. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FoodEntry, renderEntry, UserError } from '#core';
import { columnOptions, readFoods } from '#tables';
import { collect } from '../support/collect.ts';
import { importSources } from '../support/import.ts';

const FOLDER = 'test/files';

interface Expected {
  /** What writes such a file. */
  readonly program: string;
  readonly options?: {
    readonly column?: readonly string[];
    readonly per?: string;
    readonly encoding?: string;
    readonly table?: string;
  };
  /** The entries of its foods, in order. */
  readonly foods?: readonly FoodEntry[];
  /** Parts of the report's lines. */
  readonly says?: readonly string[];
  readonly label?: string;
  /** A part of the sentence with which the file is refused, and its further lines. */
  readonly refused?: string;
  readonly details?: readonly string[];
}

const folders = readdirSync(FOLDER).map((name) => ({
  name,
  answers: JSON.parse(readFileSync(`${FOLDER}/${name}/answers.json`, 'utf8')) as Record<string, Expected>,
}));
const all = folders.flatMap(({ name, answers }) =>
  Object.entries(answers).map(([file, expected]) => ({ file: `${FOLDER}/${name}/${file}`, ...expected })),
);
const good = all.filter(({ foods }) => foods !== undefined);
const bad = all.filter(({ refused }) => refused !== undefined);

const optionsOf = ({ options: { column = [], per, ...others } = {} }: Expected) => ({
  ...others,
  ...columnOptions(column, per),
});

test('every file has an expectation, and there are many', () => {
  for (const { name, answers } of folders) {
    const files = readdirSync(`${FOLDER}/${name}`).filter((file) => file !== 'answers.json');
    expect(Object.keys(answers).toSorted()).toEqual(files.toSorted());
  }
  expect(good.length).toBeGreaterThanOrEqual(60);
  expect(bad.length).toBeGreaterThanOrEqual(30);
});

test.each(good)('the right foods are read from $file ($program)', async (expected) => {
  const { foods, report } = await importSources([expected.file], optionsOf(expected));
  expect(foods.map((food) => JSON.parse(renderEntry(food)))).toEqual(expected.foods);
  const lines = report.lines().join('\n');
  for (const part of expected.says ?? []) expect(lines).toContain(part);
  if (expected.label !== undefined) expect(report.label.licence).toBe(expected.label);
  const streamed = readFoods(expected.file, undefined, { nutrients: false, ...optionsOf(expected) });
  expect(await collect(streamed)).toEqual(foods);
});

test.each(bad)('refused with a sentence is $file ($program)', async (expected) => {
  const error = await importSources([expected.file], optionsOf(expected)).then(
    () => 'it was accepted',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UserError);
  const { message, details } = error as UserError;
  const sentence = message.replace(/Data file ".*?"(?=[ :,])/, 'FILE');
  expect(sentence).toContain(expected.refused);
  expect(sentence).not.toContain('\n');
  expect(details).toEqual(expected.details ?? []);
});
