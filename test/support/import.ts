/** Imports sources like the command, and checks what must hold for every report. */
import { expect } from 'vitest';
import { type FoodRecord, UserError } from '#core';
import { ImportReport, openSources, type ReadOptions } from '#tables';
import type { OnProgress, SourceReport } from '../../src/tables/report/source-report.ts';
import { collect } from './collect.ts';

export type Imported = Awaited<ReturnType<typeof importSources>>;

/** Without nutrients and codes, which have tests of their own, unless the options say otherwise. */
export async function importSources(
  names: readonly string[],
  options: ReadOptions = {},
  onProgress?: OnProgress,
) {
  const report = new ImportReport(onProgress);
  Object.defineProperty(report, 'today', { value: '2026-11-21' });
  const foods = (await collect(openSources(names, { nutrients: false, ...options }, report))).flat();
  for (const { rows, kept, duplicates, passedOver, dropped } of report.sources) {
    const sum = kept + duplicates.total + passedOver.total + dropped.total;
    expect(sum, 'every row is accounted for').toBe(rows);
  }
  const own = foods.filter(({ codesOf }) => codesOf === undefined);
  expect(own).toHaveLength(report.sources.reduce((sum, { kept }) => sum + kept, 0));
  return { foods, report };
}

/** The line with which it is refused. */
export async function refusalFrom(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  if (!(error instanceof UserError)) throw error instanceof Error ? error : new Error('it was not refused');
  expect(error.message).not.toContain('\n');
  return error.message;
}

export const refusalOf = (names: readonly string[], options: ReadOptions = {}): Promise<string> =>
  refusalFrom(importSources(names, options));

export function counts(tallies: SourceReport['dropped'] | undefined): Record<string, number> {
  return Object.fromEntries((tallies?.entries() ?? []).map(([reason, { count }]) => [reason, count]));
}

export function foodOf(description: string, figures: Partial<FoodRecord> = {}): FoodRecord {
  return {
    carbohydrate_g: null,
    protein_g: null,
    fa_sat_g: null,
    fa_mono_g: null,
    fa_poly_g: null,
    kcal: null,
    description,
    ...figures,
  };
}
