/** Users' tables in tests: lines of CSV, objects of JSON, or a workbook with a sheet of rows. */
import { type FoodRecord, renderEntry } from '#core';
import type { ReadOptions } from '#tables';
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
  return {
    importTable,
    read: async (content: Content, options?: ReadOptions) => (await importTable(content, options)).foods,
    refused: async (content: Content, options?: ReadOptions) => refusalOf([await save(content)], options),
  };
}
