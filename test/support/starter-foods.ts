/** The foods that ship with the service, as tests count them: no cell has a line break. */
import { readFileSync } from 'node:fs';
import { readFoods } from '#tables';
import { collect } from './collect.ts';

const countIn = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length - 1;

export const STARTER = 'data/starter-foods.csv';
export const INGREDIENTS = 'data/starter-ingredients.csv';
export const DISHES = 'data/starter-dishes.csv';
export const STARTER_COUNT = countIn(STARTER);
export const BUILT_IN_COUNT = STARTER_COUNT + countIn(INGREDIENTS) + countIn(DISHES);
/** As people read it: "1,530 foods". */
export const BUILT_IN_FOODS = `${BUILT_IN_COUNT.toLocaleString('en')} foods`;
/** Those of the first file alone, as an import reads them. */
export const starterFoods = () => collect(readFoods(STARTER));
export const starterNames = async () => (await starterFoods()).map(({ description }) => description);
export const STARTER_FOODS = `${STARTER_COUNT.toLocaleString('en')} foods`;
