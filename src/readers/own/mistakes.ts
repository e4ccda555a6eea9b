/**
 * Refuses tables whose figures contradict each other as a whole, unless their columns need no understanding.
 */
import { shown, UserError } from '../../errors.ts';
import { FOOD_COLUMNS } from '../../food.ts';
import type { Candidate, ColumnOptions } from './candidates.ts';
import type { Field } from './headings.ts';
import type { Suspicions } from './suspicions.ts';

/** @param place of the header @throws UserError that names the mistake which explains the figures */
export function refuseMistakes(
  columns: ReadonlyMap<Field, Candidate>,
  suspicions: Suspicions,
  options: ColumnOptions,
  place: string,
): void {
  const energy = columns.get('kcal');
  const isOwnForm = FOOD_COLUMNS.every((field) => columns.get(field)?.heading.trim() === field);
  if (options.forceFigures === true || isOwnForm || energy === undefined) return;
  const { whole, isKilojoules } = suspicions;
  const isInKj = energy.unit === 'kJ';
  const mistake = energy.unit === undefined && isKilojoules ? 'kJ' : whole.mistake(isInKj);
  const heading = shown(energy.heading);
  if (mistake === 'kJ') {
    if (options.columns?.has('kcal')) return;
    throw new UserError(
      `${place}, column ${heading}: its figures fit the others as kJ, not as kcal. Say which they are: --column kJ=${heading}, or --column kcal=${heading}.`,
    );
  }
  const fault =
    mistake === 'kcal'
      ? `the figures of column ${heading} fit the others as kcal, not as kJ. Correct its heading`
      : mistake === undefined
        ? whole.fault()
        : `the energy fits only if ${mistake} are swapped. Name their columns with --column`;
  if (fault === undefined) return;
  throw new UserError(`${place}: ${fault}, or import the figures as they are with --force-figures.`);
}
