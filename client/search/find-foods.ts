/**
 * The foods of a typed text, and the amount in it.
 */
import type { FoundFoods } from '../../src/browser/search-foods.ts';
import { LOCAL_MARK } from '../foods/amount.ts';
import { type Food, foodOf } from '../foods/food.ts';
import { readList, readTyped, type TypedAmount } from '../foods/typed-text.ts';

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
  readonly amount: TypedAmount | undefined;
  readonly foods: readonly Food[];
  /** Words that the first food lacks. */
  readonly missing: readonly string[];
  /** Identifies the data set; null if it cannot be read. */
  readonly tag: string | null;
}

type LookUp = (query: Query) => Promise<FoundFoods>;

/** Lines of a list that are searched for. */
export const MAX_LINES = 50;

/** What is found for a text, or for each line of a list. */
export async function findFoods({ text, isExact }: Query, lookUp: LookUp): Promise<readonly Found[]> {
  const lines = (isExact ? undefined : readList(text, LOCAL_MARK)) ?? [text];
  return Promise.all(lines.slice(0, MAX_LINES).map((line) => findLine({ text: line, isExact }, lookUp)));
}

async function findLine(query: Query, lookUp: LookUp): Promise<Found> {
  const { text, isExact } = query;
  const { amount, food } = readTyped(text, LOCAL_MARK);
  if (isExact || amount === undefined || food === '') return foundOf(text, await lookUp(query));
  const byWords = lookUp({ text: food, isExact: false });
  // It may fail while the other is awaited.
  byWords.catch(() => {});
  // "7 up" is a food if the data set has it; "7 eggs" is seven of them.
  const asTyped = amount.measure === undefined ? await lookUp({ text, isExact: true }) : undefined;
  return asTyped?.some(({ description }) => isWholeIn(description, text))
    ? foundOf(text, asTyped)
    : foundOf(text, await byWords, food, amount);
}

function foundOf(text: string, answer: FoundFoods, food = text, amount?: TypedAmount): Found {
  const { matchedWords = [], missingWords = [], tag = null } = answer;
  return {
    text,
    sought: matchedWords.reduce((all, { typed, searched }) => {
      const at = all.toLowerCase().indexOf(typed.toLowerCase());
      return at < 0 ? searched : all.slice(0, at) + searched + all.slice(at + typed.length);
    }, food),
    isCorrected: matchedWords.length > 0,
    amount,
    foods: answer.map(foodOf),
    missing: missingWords,
    tag,
  };
}

/** Whether the description has the text, not as a part of a longer word. */
function isWholeIn(description: string, text: string): boolean {
  const at = description.toLowerCase().indexOf(text.toLowerCase());
  const around =
    description.slice(Math.max(0, at - 1), at) + description.slice(at + text.length, at + text.length + 1);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(around);
}
