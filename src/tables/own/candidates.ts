/** What each column of a table may be, by its heading or by the user's choice. */
import { shown, UserError } from '#core';
import type { FigureOptions } from '../food/figures.ts';
import { isOfNames, NO_LANGUAGE, spelledOut } from '../words/heading-languages.ts';
import {
  basisOfTitle,
  FIELDS,
  type Field,
  HEADINGS,
  type Heading,
  keysFor,
  parseHeading,
  portionNamed,
} from '../words/headings.ts';
import { lazily } from '../words/languages.ts';
import { partRead } from '../words/plain.ts';
import type { Unit } from '../words/units.ts';
import { errorColumns } from './error-columns.ts';
import { withoutGroups } from './heading-groups.ts';

export interface ColumnOptions extends FigureOptions {
  /** The table or view of SQLite files; by default `entries`, or the only one with columns of foods. The sheet of workbooks. */
  readonly table?: string;
  /** By field, or `kJ`: the heading of its column; empty if there is no such column. */
  readonly columns?: ReadonlyMap<ChosenField, string> | undefined;
  /** g that all figures are for, if not 100. */
  readonly per?: string | undefined;
  /** Heading of the column with the weight that the figures of each row are for. */
  readonly perColumn?: string;
  /** Of the descriptions, as a BCP 47 tag. */
  readonly language?: string;
  readonly forceFigures?: boolean;
}

export type ChosenField = Field | 'kJ';
export const CHOSEN_FIELDS: readonly ChosenField[] = [...FIELDS, 'kJ', 'portion_1', 'portion_1_g'];

export interface HeadingRow {
  readonly headings: readonly string[];
  readonly where: string;
  readonly options: ColumnOptions;
}

export interface ColumnCandidate {
  readonly field: Field;
  readonly index: number;
  readonly heading: string;
  /** Undefined if the heading does not say; figures other than energy are then grams. */
  readonly unit: Unit | undefined;
  readonly basis: string | undefined;
  /** What says the basis: the heading or a title. */
  readonly said?: string;
  /** Of a column of names, if its heading says one. */
  readonly language?: string | undefined;
  /** Smaller is more exact; compared number by number. */
  readonly score: readonly number[];
}

/** The score of a column that the user chose, or that has the exact name of the contract's own form. */
export const CERTAIN = -1;

interface Known extends Pick<ColumnCandidate, 'field' | 'unit'> {
  /** That of the name itself: 食物 begins with a word for a meal. */
  readonly basis?: string | undefined;
  /** Among the names of the field; the first are more exact. */
  readonly position: number;
}

const byKey = lazily(() => {
  const known = new Map<string, Known>();
  for (const { field, unit, names } of HEADINGS) {
    for (const [position, name] of names.entries()) {
      const heading = parseHeading(name);
      const key = headingKey(heading);
      if (!known.has(key)) known.set(key, { field, unit, position, basis: heading.basis });
    }
  }
  return known;
});

/** Headings of a unit alone, such as `kcal`, are known by it. */
function headingKey({ key, unit }: Heading): string {
  return key === '' && (unit === 'kcal' || unit === 'kJ') ? unit : key;
}

const fieldOf = (chosen: ChosenField): Field => (chosen === 'kJ' ? 'kcal' : chosen);

/** The number of fields that the headings name; 0 if no column names the food, so that this is not a header. */
export function countFields(headings: readonly string[], options: ColumnOptions): number {
  const fields = columnCandidates(headings)
    .filter(isOfFood)
    .map(({ field }) => field);
  for (const [chosen, heading] of options.columns ?? [])
    if (findHeading(headings, heading).length > 0) fields.push(fieldOf(chosen));
  return fields.includes('description') ? new Set(fields).size : 0;
}

/** The candidates among headings, which may have groups in front of them. */
function columnCandidates(headings: readonly string[]): readonly ColumnCandidate[] {
  const errors = errorColumns(headings);
  return ungrouped(headings).flatMap((name, index) => {
    const candidate = errors.has(index) ? undefined : candidateOf(name, index);
    return candidate === undefined ? [] : [{ ...candidate, heading: headings[index] ?? '' }];
  });
}

const NUMBERED = /^\s*\(?\d{1,2}[.)]\s+(?=\p{L})/u;

/** The headings without the groups and numbers in front of them, and with their languages spelled out. */
export const ungrouped = (headings: readonly string[]): readonly string[] =>
  spelledOut(
    withoutGroups(
      headings.map((heading) => partRead(heading).replace(NUMBERED, '')),
      fieldNamedBy,
    ),
    fieldNamedBy,
  );

const fieldNamedBy = (heading: string): Field | undefined => namedBy(heading)?.field;

export function isFigure(heading: string): boolean {
  const field = candidateOf(heading, 0)?.field;
  return field !== undefined && field !== 'description' && !/^portion_\d+$/.test(field);
}

export function candidateOf(heading: string, index: number): ColumnCandidate | undefined {
  const parsed = parseHeading(heading);
  const portion = portionNamed(heading);
  if (portion !== undefined) {
    const { field, position } = portion;
    const score = [heading.trim() === field ? 0 : 1, position];
    return { field, index, heading, unit: undefined, basis: undefined, score };
  }
  const named = namedBy(heading) ?? (isEnergy(heading, parsed) ? LAST_RESORT : undefined);
  if (named === undefined) return undefined;
  const { field, position } = named;
  const unit = parsed.unit ?? named.unit;
  const unitRank = unitsOf(field).indexOf(unit);
  if (unitRank < 0) return undefined;
  const exactness = exactnessOf(heading, named);
  // A column without a language comes first, then `name_en`, then the others in the order of the table.
  const { tag, isUsual } = parsed.language ?? {};
  const languageRank = tag === undefined ? 0 : tag === 'en' && isUsual ? 1 : 2 + index;
  const score = [exactness, field === 'kcal' ? unitRank : 0, position, languageRank];
  const language = isOfNames(field) && !NO_LANGUAGE.test(heading) ? tag : undefined;
  return { field, index, heading, unit, basis: parsed.basis, language, score };
}

/** Of a column that describes something else than the food: `serving description`. It is reported, but never read. */
const OF_SERVING = 3;
export const isOfFood = ({ field, score: [exactness] }: ColumnCandidate): boolean =>
  field !== 'description' || exactness !== OF_SERVING;

function exactnessOf(heading: string, known: Known): number {
  if (known === LAST_RESORT) return 2;
  if (known.field !== 'description') return heading.trim() === known.field ? 0 : 1;
  // A title may say "per serving"; other headings with that word are about the serving.
  return parseHeading(heading).basis === known.basis || basisOfTitle(heading) !== undefined ? 1 : OF_SERVING;
}

const namedBy = (heading: string): Known | undefined => knownBy(parseHeading(heading)) ?? knownTwice(heading);

/** Whether a heading is known by its words, and not only by its unit. */
export const isNamed = (heading: string): boolean => namedBy(heading) !== undefined;

const CHINESE_QUALIFIERS = /^[总總粗]|(?:[总總]量|含量)$/gu;

const known = new WeakMap<Heading, { readonly by: Known | undefined }>();

function knownBy(heading: Heading): Known | undefined {
  const found = known.get(heading) ?? { by: findKnown(heading) };
  known.set(heading, found);
  return found.by;
}

function findKnown(heading: Heading): Known | undefined {
  const found = byKey().get(headingKey(heading));
  if (found !== undefined) return found;
  const { language } = heading;
  const named = language && namedBy(language.named);
  if (named !== undefined && isOfNames(named.field))
    return language?.isUsual ? named : { ...named, position: named.position + LAST_POSITION };
  const words = heading.key.split(' ');
  const ofEnergy = keysFor('energy measure');
  // The commonest measures first; each word counts, as both of "with fibre" and "without fibre" have the last.
  const qualifiers = [...keysFor('measure'), ...ofEnergy];
  const rank = words.reduce((sum, word) => sum + qualifiers.indexOf(word), 0);
  const rest = words
    .filter((word) => !qualifiers.includes(word))
    .join(' ')
    .replace(CHINESE_QUALIFIERS, '');
  const figure = byKey().get(rest);
  if (figure === undefined || figure.field === 'description') return undefined;
  if (figure.field !== 'kcal' && words.some((word) => ofEnergy.has(word))) return undefined;
  return { ...figure, position: LAST_POSITION + rank };
}

const LAST_POSITION = 1000;

/** Energy whatever else the heading names: `Kilokalorier (kcal)`, `Calories (NotMass)`. */
const LAST_RESORT: Known = { field: 'kcal', unit: 'kcal', position: 0 };

/** Whether the unit, or the name before a remark, makes a column one of energy; `Energy from fat (kcal)` is another. */
function isEnergy(heading: string, { key, unit }: Heading): boolean {
  const beforeRemark = /^(.+\S)\s*\([^()]+\)\s*$/.exec(heading)?.[1] ?? '';
  if (unit !== 'kcal' && byKey().get(headingKey(parseHeading(beforeRemark)))?.unit !== 'kcal') return false;
  const words = key.split(' ');
  return !words.some((word) => /^(?:from|aus|%)$/.test(word) || byKey().get(word)?.field.endsWith('_g'));
}

const TWO_NAMES =
  /^(.+?)(?:\s*[/|:]\s*|\s+(?:[-–—&+]|and|und|et|ed?|y|og|och|en|ja|i|a|и|і|και|ve|dan|e|și|és|in)\s+)(.+)$/isu;

/** The field that a heading names twice, such as `FAT Fett` with a code, `Protein / Eiweiß`, or `Food name and description`; otherwise undefined. */
function knownTwice(heading: string): Known | undefined {
  for (const pattern of [/^([A-Z][A-Z0-9]+) (.+)$/s, TWO_NAMES]) {
    const [, ...names] = pattern.exec(partRead(heading).replaceAll('_', ' ')) ?? [];
    const parsed = names.map(parseHeading);
    const [one, other] = parsed.map((each) => byKey().get(headingKey(each)));
    const units = new Set(parsed.flatMap(({ unit }) => unit ?? []));
    if (one !== undefined && one.field === other?.field && units.size < 2) return one;
  }
  return undefined;
}

/** The units in which a figure may be, undefined for "not stated", the best first. */
function unitsOf(field: Field): readonly (Unit | undefined)[] {
  if (field === 'kcal') return ['kcal', undefined, 'kJ'];
  return field.endsWith('_g') ? [undefined, 'g', 'mg', 'µg'] : [undefined];
}

export function fieldNamed(name: string): ChosenField | undefined {
  const exact = CHOSEN_FIELDS.find((field) => field === name);
  if (exact !== undefined) return exact;
  const found = candidateOf(name, 0);
  return found?.unit === 'kJ' ? 'kJ' : found?.field;
}

/** What the columns may be: what the user chose for a field, otherwise by their headings. @throws UserError */
export function candidatesOf(table: HeadingRow): readonly ColumnCandidate[] {
  const chosen = new Map(
    Array.from(table.options.columns ?? [], ([name, heading]) => [fieldOf(name), { name, heading }]),
  );
  const all = columnCandidates(table.headings);
  const byUser = Array.from(chosen).flatMap(([field, { name, heading }]) =>
    heading === '' ? [] : chosenColumn(name, field, heading, table),
  );
  const description = byUser.find(({ field }) => field === 'description');
  const isFurther = ({ field, index, language }: ColumnCandidate): boolean =>
    field === description?.field && index !== description.index && language !== undefined;
  return all.filter((each) => !chosen.has(each.field) || isFurther(each)).concat(byUser);
}

function chosenColumn(chosen: ChosenField, field: Field, wanted: string, table: HeadingRow): ColumnCandidate {
  const index = positionOf(table, wanted, `--column ${chosen}=${wanted}`);
  const heading = table.headings[index] ?? '';
  const { unit: stated, basis } = parseHeading(heading);
  const language = candidateOf(ungrouped(table.headings)[index] ?? '', index)?.language;
  const unit = chosen === 'kJ' ? 'kJ' : unitsOf(field).includes(stated) ? stated : undefined;
  const score = [CERTAIN];
  return { field, index, heading, unit: field === 'kcal' ? (unit ?? 'kcal') : unit, basis, language, score };
}

/** The position of the only column with the heading that a flag names. @throws UserError */
export function positionOf({ headings, where }: HeadingRow, heading: string, flag: string): number {
  const [index, ...others] = findHeading(headings, heading);
  if (index !== undefined && others.length === 0) return index;
  const fault = index === undefined ? 'there is no such column' : 'several columns have this name';
  throw new UserError(
    `${where}: ${shown(flag)}: ${fault}; the header names ${shown(headings.join(','))}. Write the heading as it stands there.`,
  );
}

/** The positions of the columns with this heading; if none is exactly the same, spaces and case do not count. */
function findHeading(headings: readonly string[], wanted: string): number[] {
  const positions = (form: (text: string) => string): number[] =>
    headings.flatMap((heading, index) => (form(heading) === form(wanted) ? [index] : []));
  const exact = positions((text) => text);
  return exact.length > 0 ? exact : positions((text) => text.replace(/\s+/g, ' ').trim().toLowerCase());
}

export function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
