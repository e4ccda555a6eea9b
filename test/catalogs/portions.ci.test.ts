import { describe, expect, it, test } from 'vitest';
import { UserError } from '#core';
import { readIndexFile } from '#service';
import {
  type FileLabel,
  headerOf,
  placesOf,
  type Section,
  sectionsOf,
} from '../../src/engine/store/index-format.ts';
import { temporaryFolder } from '../support/files.ts';
import { sectionsOf as sectionsFrom } from '../support/index.ts';
import { food, TEST_LABEL } from '../support/service.ts';

const folder = temporaryFolder();
const LABEL: FileLabel = { ...TEST_LABEL, leftOut: 0 };

function fileOf(sections: readonly Section[]): Buffer {
  const places = placesOf(sections);
  const bytes = Buffer.alloc(Math.max(...places.map(({ offset, length }) => offset + length)));
  bytes.set(headerOf(places));
  for (const [i, section] of sections.entries()) bytes.set(section.bytes, places[i]?.offset);
  return bytes;
}

const EGGS = ['Egg, raw', 'Egg, fried', 'Milk'];
const WITH = EGGS.map((description, i) =>
  food(description, {
    portions: [
      { portion: '1 large', grams: '50' },
      { portion: `${i} cups`, grams: '136' },
    ],
  }),
);
const PORTION_SECTIONS = [
  'portionStarts',
  'portionTexts',
  'portionWeights',
  'portionSpellings',
  'portionSpellingStarts',
];

describe('an index file', () => {
  /** Reads the file of WITH with some sections changed, or left out if they are undefined. */
  async function readChanged(
    changes: Readonly<Record<string, Uint8Array | Uint32Array | undefined>>,
  ): Promise<unknown> {
    const sections = sectionsOf(await sectionsFrom(WITH), LABEL).flatMap(({ name, bytes }): Section[] => {
      const changed = name in changes ? changes[name] : bytes;
      if (changed === undefined) return [];
      return [{ name, bytes: new Uint8Array(changed.buffer, changed.byteOffset, changed.byteLength) }];
    });
    return readIndexFile(await folder.write('changed.idx', fileOf(sections))).catch((error: unknown) => {
      if (error instanceof UserError) return error.message.replace(/.*: this file /, '');
      throw error;
    });
  }

  it.each(PORTION_SECTIONS)('that lacks only the section %s is refused', async (name) => {
    expect(await readChanged({ [name]: undefined })).toBe(
      `lacks the section ${name}. Import the data again: food-lookup import SOURCE --to ${folder.path('changed.idx')}`,
    );
  });

  test('that lacks all of them is read', async () => {
    const changes = Object.fromEntries(PORTION_SECTIONS.map((name) => [name, undefined]));
    expect(await readChanged(changes)).toMatchObject({ index: { portions: { starts: new Uint32Array(0) } } });
    expect(await readChanged({})).toMatchObject({ index: { portions: { weights: { length: 6 } } } });
  });

  const numbers = (...values: number[]) => Uint32Array.from(values);
  it.each([
    ['one food too few', { portionStarts: numbers(0, 2, 6) }],
    ['one food too many', { portionStarts: numbers(0, 2, 4, 6, 6) }],
    ['no foods', { portionStarts: numbers() }],
    ['starts that descend', { portionStarts: numbers(0, 4, 2, 6) }],
    ['starts past the end', { portionStarts: numbers(0, 2, 4, 7) }],
    ['starts that leave portions out', { portionStarts: numbers(2, 2, 4, 6) }],
    ['an unknown text', { portionTexts: numbers(0, 1, 0, 2, 0, 4) }],
    ['fewer texts than weights', { portionTexts: numbers(0, 1, 0, 2, 0) }],
    ['a weight of 0', { portionWeights: numbers(1, 1, 1, 0, 1, 1) }],
    ['texts past the end', { portionSpellingStarts: numbers(0, 9, 17, 25, 99) }],
    ['shorter texts', { portionSpellings: Buffer.from('"1 large"') }],
  ] as const)('with %s in its sections of portions is refused', async (_what, changes) => {
    expect(await readChanged(changes)).toMatch(
      /^is damaged: its sections of portions contradict each other\. Import the data again/,
    );
  });

  test('with an incomplete number is refused', async () => {
    expect(await readChanged({ portionWeights: Buffer.alloc(23, 1) })).toMatch(
      /^is damaged: the section portionWeights ends within a number\. Import the data again/,
    );
  });
});
