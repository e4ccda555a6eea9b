/** `food-lookup inspect DATA`: checks every byte of an index file and prints its contents, or what a database says. */

import { amount, counted, type DataSet, shown, UserError } from '#core';
import { FoodIndex, NO_FACTS, type PortionCounts, portionCounts } from '#engine';
import { isPostgresUrl, openStore } from '#postgres';
import { detectKind } from '#tables';
import { readIndexFile } from '../catalogs/index-file.ts';
import { knownBesides } from '../catalogs/memory.ts';
import { readPostgresUrl } from './open-catalog.ts';
import { print, printJson } from './print.ts';

const SAMPLE = 5;

const FIGURES = ['kcal', 'protein_g', 'carbohydrate_g'] as const;

export async function inspect(data: string, json = false): Promise<void> {
  const facts = isPostgresUrl(data) ? await inspectDatabase(data) : await inspectFile(data);
  if (json) printJson(facts);
  else print(linesOf(facts));
}

/** What its import has recorded. Reading all of its rows would take a second per million. */
async function inspectDatabase(address: string): Promise<Inspection> {
  const catalog = await openStore(readPostgresUrl('DATA', address));
  await catalog.close();
  return { notes: [], portions: portionCounts(NO_FACTS), ...catalog.current.dataSet };
}

async function inspectFile(file: string): Promise<Inspection> {
  if ((await detectKind(file)) !== 'index') {
    throw new UserError(
      `Index file ${shown(file)}: this file is not an index of food-lookup. Make one: food-lookup import SOURCE --to foods.idx`,
    );
  }
  const { index, label, identity, size } = await readIndexFile(file);
  const foods = new FoodIndex(index);
  const { name, date, source, licence, language, leftOut, notes = [] } = label;
  const known = { kcal: 0, protein_g: 0, carbohydrate_g: 0, fat_g: 0 };
  const sample: string[] = [];
  for (const food of foods.records()) {
    for (const figure of FIGURES) if (food[figure] !== null) known[figure]++;
    if (food.fa_sat_g !== '0') known.fat_g++;
    if (sample.length < SAMPLE) sample.push(food.description);
  }
  const portions = portionCounts(index.facts);
  return {
    ...{ name, date, source, licence, language, notes, foods: foods.size, leftOut, bytes: size, identity },
    ...{ portions, known, sample, ...knownBesides(index) },
  };
}

interface Inspection extends Omit<DataSet, 'remarks'> {
  readonly notes: readonly string[];
  readonly portions: PortionCounts;
  /** This and what follows: only of a file. */
  readonly bytes?: number;
  /** For each column, the foods with a known figure; for `fat_g`, those with more than 0. */
  readonly known?: Readonly<Record<string, number>>;
  /** The first foods in their static order. */
  readonly sample?: readonly string[];
}

function linesOf({ foods, portions, bytes, known, sample = [], notes, ...facts }: Inspection): string[] {
  const share = (value: number): string => `${foods === 0 ? 0 : ((100 * value) / foods).toFixed(1)} %`;
  const shares = Object.entries(known ?? {}).map(
    ([column, value]) => `${column} ${column === 'fat_g' ? 'more than 0 ' : ''}${share(value)}`,
  );
  return [
    `name      ${facts.name}`,
    `date      ${facts.date}`,
    `source    ${facts.source ?? 'not known'}`,
    `licence   ${facts.licence ?? 'not known'}`,
    ...(facts.language === undefined ? [] : [`language  ${facts.language}`]),
    ...notes.map((note) => `note      ${note}`),
    `foods     ${amount(foods)}; ${amount(facts.leftOut)} rows without a description were left out`,
    ...(bytes === undefined
      ? [`identity  ${facts.identity}`]
      : [
          `size      ${amount(bytes)} bytes, identity ${facts.identity}`,
          'intact    every byte is as it was written',
        ]),
    `portions  ${portions.foods === 0 ? 'none' : `${amount(portions.portions)}, of ${counted(portions.foods, 'food')}`}`,
    ...(known === undefined ? [] : [`known     ${shares.join(', ')}`]),
    ...sample.map((description, i) => `${i === 0 ? 'sample' : '      '}    ${description}`),
  ];
}
