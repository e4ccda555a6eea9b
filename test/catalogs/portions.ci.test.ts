import { describe, expect, it, test } from 'vitest';
import { UserError } from '#core';
import { readIndexFile } from '#service';
import { type Section, sectionsOf } from '../../src/engine/store/index-format.ts';
import { writeSections } from '../../src/engine/store/read-index.ts';
import { temporaryFolder } from '../support/files.ts';
import { sectionsOf as sectionsFrom } from '../support/index.ts';
import { food, TEST_LABEL } from '../support/service.ts';

const folder = temporaryFolder();
const LABEL = { ...TEST_LABEL, leftOut: 0 };

const EGGS = ['Egg, raw', 'Egg, fried', 'Milk'];
const LARGE = { portion: '1 large', grams: '50' };
const WITH = EGGS.map((egg, i) => food(egg, { portions: [LARGE, { portion: `${i} cups`, grams: '136' }] }));
/** The rows and the shapes of WITH: `1 large` and each of three others. */
const ROWS = [2, 160, 6, 128, 17, 4, 160, 6, 128, 17, 6, 160, 6, 128, 17];
const SHAPES = [0, 0, 2, 1, 4, 2, 6, 3];
const FACT_SECTIONS = ['factStarts', 'factRows', 'factShapes', 'factKinds'];

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
    return readIndexFile(await folder.write('changed.idx', writeSections(sections))).catch(
      (error: unknown) => {
        if (error instanceof UserError) return error.message.replace(/.*: this file /, '');
        throw error;
      },
    );
  }

  it.each(FACT_SECTIONS)('that lacks only the section %s is refused', async (name) => {
    expect(await readChanged({ [name]: undefined })).toBe(
      `lacks the section ${name}. Import the data again: food-lookup import SOURCE --to ${folder.path('changed.idx')}`,
    );
  });

  test('that lacks all of them is read', async () => {
    const changes = Object.fromEntries(FACT_SECTIONS.map((name) => [name, undefined]));
    expect(await readChanged(changes)).toMatchObject({ index: { facts: { starts: new Uint32Array(0) } } });
    expect(await readChanged({})).toMatchObject({ index: { facts: { starts: { length: 4 } } } });
  });

  const numbers = (...values: number[]) => Uint32Array.from(values);
  const bytes = (...values: number[]) => Uint8Array.from(values);
  it.each([
    ['one food too few', { factStarts: numbers(0, 5, 15) }],
    ['one food too many', { factStarts: numbers(0, 5, 10, 15, 15) }],
    ['no foods', { factStarts: numbers() }],
    ['starts that descend', { factStarts: numbers(0, 10, 5, 15) }],
    ['starts past the end', { factStarts: numbers(0, 5, 10, 16) }],
    ['starts that leave facts out', { factStarts: numbers(5, 5, 10, 15) }],
    ['fewer rows', { factRows: bytes(...ROWS.slice(0, -1)) }],
    ['a row without a shape', { factRows: bytes(1, ...ROWS.slice(1)) }],
    ['a row past the last shape', { factRows: bytes(8, ...ROWS.slice(1)) }],
    ['an unknown kind', { factShapes: bytes(...SHAPES.slice(0, -1), 4) }],
    ['shapes before the first', { factShapes: bytes(1, ...SHAPES.slice(1)) }],
    ['a shape that continues none', { factShapes: bytes(0, 0, 2, 1, 1, 2, 6, 3) }],
    ['shapes that end within a number', { factShapes: bytes(...SHAPES.slice(0, -1), 0x83) }],
    ['fewer kinds', { factKinds: Buffer.from('[["1 large"]]') }],
  ] as const)('with %s in its sections of facts is refused', async (_what, changes) => {
    expect(await readChanged(changes)).toMatch(
      /^is damaged: its sections of facts contradict each other\. Import the data again/,
    );
  });

  test('with an incomplete number is refused', async () => {
    expect(await readChanged({ factStarts: Buffer.alloc(15, 1) })).toMatch(
      /^is damaged: the section factStarts ends within a number\. Import the data again/,
    );
  });
});
