/** Users' tables in tests: lines of CSV, objects of JSON, or a workbook with a sheet of rows. */
import { expect, it } from 'vitest';
import { type FoodRecord, renderEntry } from '#core';
import type { ReadOptions } from '#tables';
import { casesOf } from './cases.ts';
import { temporaryFolder } from './files.ts';
import { importSources, refusalOf } from './import.ts';

type Content = readonly string[] | object | Buffer;

/** A food as `NAME KCAL/PROTEIN/CARBOHYDRATE/FAT`. */
export function saidOf(food: FoodRecord): string {
  const entry = JSON.parse(renderEntry(food)) as Record<string, unknown>;
  return `${entry.description} ${entry.kcal}/${entry.protein_g}/${entry.carbohydrate_g}/${entry.fat_g}`;
}

export function ownTables() {
  const folder = temporaryFolder();
  const save = (content: Content): Promise<string> => {
    if (Buffer.isBuffer(content)) return folder.save(content);
    const isLines = Array.isArray(content) && typeof content[0] === 'string';
    return folder.save(isLines ? `${content.join('\n')}\n` : JSON.stringify(content));
  };
  /** The foods as {@link saidOf} says them, and the report, also as its lines. */
  const importTable = async (content: Content, options: ReadOptions = {}) => {
    const { foods, report } = await importSources([await save(content)], options);
    return { foods: foods.map(saidOf), report, says: report.lines().join('\n') };
  };
  const read = async (content: Content, options?: ReadOptions) => (await importTable(content, options)).foods;
  const refused = async (content: Content, options?: ReadOptions) =>
    refusalOf([await save(content)], options);
  return {
    importTable,
    read,
    refused,
    /** A test for each case: what is read | its foods | the lines of the table. */
    testReads: (cases: string): void =>
      it.each(casesOf(cases))('is read: %s', async (_what, foods, ...lines) =>
        expect((await read(lines)).join('; ')).toBe(foods),
      ),
    /** A test for each case: what is refused | what the sentence says | the lines of the table. */
    testRefuses: (cases: string): void =>
      it.each(casesOf(cases))('is refused: %s', async (_what, says, ...lines) =>
        expect(await refused(lines)).toContain(says),
      ),
  };
}
