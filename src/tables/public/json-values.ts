/** Values of JSON, which may be anything. */
import { billionthsOf, canonicalDecimal, decimalOfExponent } from '#core';

export type Json = { readonly [key: string]: unknown };

export const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(objectOf).filter((each) => each !== undefined) : [];

/** Empty if it is no text and no number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Billionths; NaN if there is none, undefined if it is no number. */
export function figureOf(value: unknown): number | undefined {
  if (value === '' || value === undefined || value === null) return Number.NaN;
  const text = textOf(value).trim();
  const decimal = canonicalDecimal(text) ?? decimalOfExponent(text);
  return decimal === undefined ? undefined : billionthsOf(decimal);
}
