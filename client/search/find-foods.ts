/** The foods of a typed text, and the amount in it. */
import { findFood, MOST_READ, type Reading, solidsOf } from '#amounts';
import type { FoundFoods } from '../../packages/browser/search-foods.ts';
import { type Food, foodOf } from '../foods/food.ts';
import { readTyped } from '../foods/typed-amount.ts';

export interface Query {
  readonly text: string;
  /** Search for exactly the typed text, without corrections. */
  readonly isExact: boolean;
}

export interface Found {
  readonly text: string;
  /** The text without its amount, and with corrections. */
  readonly sought: string;
  readonly isCorrected: boolean;
  /** Absent for a search without an amount. */
  readonly reading: Reading | undefined;
  readonly foods: readonly Food[];
  /** If no food has all words, those that the first one lacks. */
  readonly missing: string;
  /** Of the descriptions, if the answer says it. */
  readonly language?: string | undefined;
  /** Identifies the data set; null if it cannot be read. */
  readonly tag: string | null;
}

/** What the service, or the index of the page, is asked. */
export interface LookUps {
  lookUp(query: Query): Promise<FoundFoods>;
  /** Absent if the service is elsewhere, which lets other origins search alone. */
  readonly namesOf?: ((description: string) => Promise<readonly string[]>) | undefined;
  /** Whether the foods are in another language than the data set. */
  readonly isTranslated?: boolean | undefined;
}

/** Lines of a list that are searched for. */
export const MAX_LINES = 50;

/** A code of a packet: 8 to 14 digits, in groups or not. */
export const isCode = (text: string): boolean => /^(?:[\s-]?\d){8,14}$/.test(text);

/** What is found for a text, or for each food of a list. */
/** @param language of the text */
export async function findFoods(query: Query, asked: LookUps, language?: string): Promise<readonly Found[]> {
  const { text, isExact } = query;
  const readings = isExact || isCode(text) ? [] : readTyped(text, undefined, language);
  const [first] = readings;
  if (readings.length > 1 || (first?.amount !== undefined && first.food !== '')) {
    const last = readings.at(-1);
    const lines = readings
      .slice(0, MAX_LINES)
      .map((reading) => findReading(reading, asked, reading === last));
    const found = (await Promise.all(lines)).flat();
    // A name, as "7 up", has no amount.
    const [only] = found;
    if (found.length > 1 || only?.reading?.amount !== undefined) return found;
    if (only !== undefined) return [{ ...only, reading: undefined }];
  }
  return [foundOf(text, await asked.lookUp(query))];
}

async function findReading(
  reading: Reading,
  { lookUp, namesOf, isTranslated }: LookUps,
  isTyping: boolean,
): Promise<readonly Found[]> {
  const asked = new Map<string, Promise<FoundFoods>>();
  const ask = (text: string): Promise<FoundFoods> => {
    const answer = asked.get(text) ?? lookUp({ text, isExact: false });
    asked.set(text, answer);
    return answer;
  };
  const { name, searches } = reading;
  // At once, since the name is rarely one. It may fail while the other is awaited.
  if (name !== undefined && searches[0] !== undefined) ask(searches[0]).catch(() => {});
  const lookUpFoods = async (sought: string) => {
    const answer = await ask(sought);
    const foods = answer.slice(0, MOST_READ).map((entry) => ({ ...entry, entry, sought, answer }));
    return { foods, missing: answer.missingWords ?? [], replaced: answer.matchedWords ?? [] };
  };
  type Entry = Awaited<ReturnType<typeof lookUpFoods>>['foods'][number];
  const namesOfFood = namesOf && (({ description }: Entry) => namesOf(description));
  const solidsOfFood = ({ protein_g, carbohydrate_g, fat_g }: Entry) =>
    solidsOf([protein_g, carbohydrate_g, fat_g]);
  const questions = { lookUp: lookUpFoods, namesOf: namesOfFood, solidsOf: solidsOfFood, isTranslated };
  const found = await findFood<Entry>(reading, questions, isTyping);
  return found.map(({ reading: read, food, missing }) => {
    if (food === undefined)
      return { ...foundOf(read.text, [], read.food, read), missing: missing.join(', ') };
    const { entry, answer, sought } = food;
    const others = answer.filter((other) => other !== entry);
    return { ...foundOf(read.text, answer, sought, read), foods: [entry, ...others].map(foodOf) };
  });
}

function foundOf(text: string, answer: FoundFoods, food = text, reading?: Reading): Found {
  const { matchedWords = [], missingWords = [], tag = null, language } = answer;
  return {
    text,
    sought: matchedWords.reduce((all, { typed, searched }) => {
      const at = all.toLowerCase().indexOf(typed.toLowerCase());
      return at < 0 ? searched : all.slice(0, at) + searched + all.slice(at + typed.length);
    }, food),
    isCorrected: matchedWords.length > 0,
    reading,
    foods: answer.map(foodOf),
    missing: missingWords.join(', '),
    language,
    tag,
  };
}
