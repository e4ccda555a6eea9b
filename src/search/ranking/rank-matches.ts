/**
 * Puts a few foods in order for a query by the scores of their words: the same order that `FoodIndex` finds
 * without reading all of them.
 */
import { MAX_ENTRIES } from '../../food.ts';
import { endAt, endOfText, type MatchEnd, PLURALS } from './match-end.ts';
import { pluralScore } from './points.ts';

/** A food whose folded description contains the query. */
export interface Candidate {
  readonly folded: string;
  /** As in `FoodRow`. */
  readonly scores: string;
}

/** Marks, before the scores of its words, a food whose name an earlier food has. */
export const REPEAT_MARK = '*';

/** Where the byte of a score stands behind the position. */
const PLACE_OF: Readonly<Record<MatchEnd, number>> = { segmentEnd: 0, wordEnd: 2, inside: 4 };
const SCORES_LENGTH = 6;

/** Below all scores. */
const INSIDE_WORDS = -100;
/** Above all scores, the singular above the plural. */
const WHOLE = 1000;
/** More than all scores and these are apart. */
const REPEATED = -10_000;

const isRepeat = ({ scores }: Candidate): boolean => scores.startsWith(REPEAT_MARK);

/** The best of the candidates, which come in the order of their numbers. */
export function bestMatches<Food extends Candidate>(query: string, candidates: readonly Food[]): Food[] {
  const closed = endOfText(query);
  const wholes = wholesAmong(query, candidates);
  const ranked = candidates.map((food) => {
    if (isRepeat(food)) return { food, score: REPEATED + scoreOf(food, REPEAT_MARK.length, query, closed) };
    return { food, score: wholes.get(food) ?? scoreOf(food, 0, query, closed) };
  });
  // The sort is stable: equal scores stay in the order of the numbers.
  ranked.sort((a, b) => b.score - a.score);
  return ranked.slice(0, MAX_ENTRIES).map(({ food }) => food);
}

/** The foods of new names whose description is the query, or a plural of it, with their scores. */
function wholesAmong(query: string, candidates: readonly Candidate[]): ReadonlyMap<Candidate, number> {
  const wholes = new Map<Candidate, number>();
  for (const ending of ['', ...PLURALS]) {
    const food = candidates.find((each) => each.folded === query + ending && !isRepeat(each));
    if (food !== undefined) wholes.set(food, ending === '' ? WHOLE : WHOLE - 1);
  }
  return wholes;
}

/** The same for all foods in which the query stands inside words alone. */
function scoreOf(food: Candidate, from: number, query: string, closed: MatchEnd | undefined): number {
  let best = INSIDE_WORDS;
  for (let at = from; at < food.scores.length; ) {
    const colon = food.scores.indexOf(':', at);
    const position = Number.parseInt(food.scores.slice(at, colon), 36);
    at = colon + 1 + SCORES_LENGTH + 1;
    if (!food.folded.startsWith(query, position)) continue;
    const { end, isPlural } =
      closed === undefined ? endAt(food.folded, position + query.length) : { end: closed, isPlural: false };
    const place = colon + 1 + PLACE_OF[end];
    const score = Number.parseInt(food.scores.slice(place, place + 2), 16);
    best = Math.max(best, score + (isPlural ? pluralScore() : 0));
  }
  return best;
}
