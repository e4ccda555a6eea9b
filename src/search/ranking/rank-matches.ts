/**
 * Puts a few foods in order for a text by the scores of their words: the same order that `FoodIndex` finds
 * without reading all of them.
 */
import { MAX_ENTRIES } from '../../food.ts';
import { endAt, endOfText, type MatchEnd } from './match-end.ts';
import { POINTS } from './ranking.ts';

/** A food whose folded description contains the text. */
export interface Candidate {
  readonly folded: string;
  /** As in `FoodRow`. */
  readonly scores: string;
}

/** Where the byte of a score stands behind the position. */
const PLACE_OF: Readonly<Record<MatchEnd, number>> = { segmentEnd: 0, wordEnd: 2, inside: 4 };
const SCORES_LENGTH = 6;

/** The best of the candidates, which come in the order of their numbers. */
export function bestMatches<Food extends Candidate>(folded: string, candidates: readonly Food[]): Food[] {
  const closed = endOfText(folded);
  const ranked = candidates.map((food) => ({ food, score: scoreOf(food, folded, closed) }));
  // The sort is stable: equal scores stay in the order of the numbers.
  ranked.sort((a, b) => b.score - a.score);
  return ranked.slice(0, MAX_ENTRIES).map(({ food }) => food);
}

/** Below all others, and all alike, where the text stands inside words alone. */
function scoreOf(food: Candidate, text: string, closed: MatchEnd | undefined): number {
  let best = Number.MIN_SAFE_INTEGER;
  for (let at = 0; at < food.scores.length; ) {
    const colon = food.scores.indexOf(':', at);
    const position = Number.parseInt(food.scores.slice(at, colon), 36);
    at = colon + 1 + SCORES_LENGTH + 1;
    if (!food.folded.startsWith(text, position)) continue;
    const { end, isPlural } =
      closed === undefined ? endAt(food.folded, position + text.length) : { end: closed, isPlural: false };
    const place = colon + 1 + PLACE_OF[end];
    const score = Number.parseInt(food.scores.slice(place, place + 2), 16);
    best = Math.max(best, score + (isPlural ? POINTS.plural : 0));
  }
  return best;
}
