/** What a food has of the words that name one: not what it is without, and nothing dried if it is mostly water. */
import type { Marks } from './marks.ts';
import { hasForm, wordsIn } from './word-forms.ts';

/** @param figures protein, carbohydrate and fat in g; null if unknown */
export const solidsOf = (figures: readonly (string | number | null)[]): number =>
  figures.reduce<number>((sum, figure) => sum + Number(figure ?? Number.NaN), 0);

/** Grams of protein, carbohydrate and fat in 100 g of what is dried or a powder, at least. */
const LEAST_DRY = 50;

export const isWet = (solids: number): boolean => solids < LEAST_DRY;

/** Whether a description is that of a spice, or of another food that was ground or made a powder. */
export const isMilled = (description: string, marks: Marks): boolean =>
  marks.has('ground', description) &&
  !(['uncooked', 'cooked', 'canned'] as const).some((mark) => marks.has(mark, description));

/**
 * A description without what its food lacks: "gluten-free", "without skin"; and a skin is no "apple, raw, with skin". Looked for from
 * the beginnings of words and numbers on: a long one would take the square of its length.
 */
export function hadIn(description: string, typed: readonly string[], marks: Marks): string {
  const isLacked = (word: string): boolean => hasForm(typed, word) && !hasForm(typed, 'free');
  const free = description.replace(/(?<!\p{L})(\p{L}+)-free/gu, (all, word) => (isLacked(word) ? '' : all));
  const had = marks.without('without', free);
  const alone = marks.without('with', had).replace(/(?<![\d.])[\d.]+% fat/, '');
  return typed.some((word) => hasForm(wordsIn(alone), word)) ? had : alone;
}
