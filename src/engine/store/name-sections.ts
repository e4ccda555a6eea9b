/**
 * The other names of foods as typed arrays: the texts, and a table that finds foods by a whole name. Three names of 12 letters
 * each take 75 bytes a food; their words are in the vocabulary like those of descriptions.
 */
import { textOfUtf8 } from '#core';
import { type NameKeys, NO_NAME_KEYS } from '../words/name-keys.ts';
import { isPartition } from './portion-sections.ts';

export interface NameSections extends NameKeys {
  /** f + 1 numbers: the names of food i are the bytes [starts[i], starts[i + 1]), none or a JSON array. */
  readonly starts: Uint32Array;
  readonly texts: Uint8Array;
}

export const NO_NAMES: NameSections = {
  ...NO_NAME_KEYS,
  starts: new Uint32Array(0),
  texts: new Uint8Array(0),
};

export const hasNames = ({ starts }: Pick<NameSections, 'starts'>): boolean => starts.length > 0;

/** The JSON array of the names of a food. */
export function renderNames({ starts, texts }: NameSections, food: number): string {
  const [start, end] = [starts[food] ?? 0, starts[food + 1] ?? 0];
  return start === end ? '[]' : textOfUtf8(texts, start, end);
}

export const namesOf = (sections: NameSections, food: number): string[] =>
  JSON.parse(renderNames(sections, food)) as string[];

/** Whether these sections are consistent with each other and with the number of foods. */
export function areConsistentNames(sections: NameSections, foods: number): boolean {
  const { starts, texts, buckets, checks, foods: named } = sections;
  return (
    starts.length === foods + 1 &&
    checks.length === named.length &&
    Number.isInteger(Math.log2(buckets.length - 1)) &&
    isPartition(starts, texts.length) &&
    isPartition(buckets, checks.length) &&
    named.every((food) => food >= 0 && food < foods)
  );
}
