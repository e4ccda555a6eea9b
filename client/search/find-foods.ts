/** The foods of a typed text, and the amount in it. */
import type { FoundFoods } from '../../packages/browser/search-foods.ts';
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
  /** If no food has all words, those that the first one lacks, in quotation marks. */
  readonly missing: string;
  /** Identifies the data set; null if it cannot be read. */
  readonly tag: string | null;
}

type LookUp = (query: Query) => Promise<FoundFoods>;

/** Lines of a list that are searched for. */
export const MAX_LINES = 50;

/** What is found for a text, or for each line of a list. */
export async function findFoods({ text, isExact }: Query, lookUp: LookUp): Promise<readonly Found[]> {
  const lines = (isExact ? undefined : readList(text, LOCAL_MARK)) ?? [text];
  const found = lines.slice(0, MAX_LINES).map((line) => findLine({ text: line, isExact }, lookUp));
  return (await Promise.all(found)).flat();
}

/** A code of a packet: 8 to 14 digits, in groups or not. */
export const isCode = (text: string): boolean => /^(?:[\s-]?\d){8,14}$/.test(text);

/** As a name begins, "7 up" or "three bean salad", but not "½ avocado", "1-2 eggs" or "a banana". */
const NAME = /^(?:\d+|\p{L}{3,}) /u;

async function findLine(query: Query, lookUp: LookUp): Promise<readonly Found[]> {
  const { text, isExact } = query;
  const { amount, food } = readTyped(text, LOCAL_MARK);
  if (isExact || isCode(text) || amount === undefined || food === '')
    return [foundOf(text, await lookUp(query))];
  const byWords = lookUp({ text: food, isExact: false });
  // It may fail while the other is awaited.
  byWords.catch(() => {});
  // "7 up" is a food if the data set has it; "7 eggs" is seven of them.
  const mayBeName = amount.measure === undefined && NAME.test(text);
  const asTyped = mayBeName ? await lookUp({ text, isExact: true }) : [];
  if (asTyped.some(({ description }) => isWholeIn(description, text))) return [foundOf(text, asTyped)];
  const found = foundOf(text, await byWords, food, amount);
  // "a slice of toast with butter" is two foods if no food is all of it.
  const [, first, second = ''] = /^(.+?) with (.+)$/i.exec(text) ?? [];
  if (first === undefined || /^(“with”)?$/.test(found.missing)) return [found];
  const isCounted = readTyped(second, LOCAL_MARK).amount !== undefined;
  return findFoods({ text: `${first}\n${isCounted ? '' : '1 '}${second}`, isExact }, lookUp);
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
    missing: missingWords.map((word) => `“${word}”`).join(', '),
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
