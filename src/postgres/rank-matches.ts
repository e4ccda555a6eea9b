/**
 * Ranks a few foods for a query by the scores of their words, in the same order that `FoodIndex` finds without reading all
 * of them.
 */
import { MAX_ENTRIES } from '#core';
import { bonusOf, type MatchEnd, type MatchesAt, matchesOf, matchesOfWord, PLURALS } from '#engine';

/** A food whose folded description contains the query. */
export interface MatchingFood {
  readonly folded: string;
  readonly scores: string;
}

/** Marks, before the scores of its words, a food whose name an earlier food has. */
export const REPEAT_MARK = '*';

/** The offset of the byte of a score after the position. */
const PLACE_OF: Readonly<Record<MatchEnd, number>> = { segmentEnd: 0, wordEnd: 2, inside: 4 };
const SCORES_LENGTH = 6;

/** The same for all foods in which the query occurs only inside words. */
const INSIDE_WORDS = -100;
/** Above all scores, the singular above the plural. */
const WHOLE = 1000;
/** More than any difference between scores and these. */
const REPEATED = -10_000;

const isRepeat = ({ scores }: MatchingFood): boolean => scores.startsWith(REPEAT_MARK);

/** The best of the candidates, which are in the order of their numbers. */
export function bestMatches<Food extends MatchingFood>(query: string, candidates: readonly Food[]): Food[] {
  const matchesAt = matchesOf(query);
  const wholes = wholesAmong(query, candidates);
  return bestOf(candidates.map((food) => ({ food, score: wholes.get(food) ?? bestScore(food, matchesAt) })));
}

/** The best of the foods that have in their description a word, a longer one that begins with it, or another form of it as a whole word. */
export function bestOfWord<Food extends MatchingFood>(
  word: string,
  otherForms: readonly string[],
  candidates: readonly Food[],
): Food[] {
  const matchesAt = matchesOfWord(word, otherForms);
  const scored = candidates.map((food) => ({ food, score: bestScore(food, matchesAt) }));
  // Others have it in another name.
  return bestOf(scored.filter(({ score }) => score !== INSIDE_WORDS));
}

function bestOf<Food extends MatchingFood>(scored: readonly { food: Food; score: number }[]): Food[] {
  const ranked = scored.map(({ food, score }) => ({
    food,
    score: isRepeat(food) ? REPEATED + score : score,
  }));
  // The sort is stable: equal scores stay in the order of the numbers.
  ranked.sort((a, b) => b.score - a.score);
  return ranked.slice(0, MAX_ENTRIES).map(({ food }) => food);
}

/** The foods with new names whose description is the query, or its plural, with their scores. */
function wholesAmong(query: string, candidates: readonly MatchingFood[]): ReadonlyMap<MatchingFood, number> {
  const wholes = new Map<MatchingFood, number>();
  for (const ending of ['', ...PLURALS]) {
    const food = candidates.find((each) => each.folded === query + ending && !isRepeat(each));
    if (food !== undefined) wholes.set(food, ending === '' ? WHOLE : WHOLE - 1);
  }
  return wholes;
}

/** As `bestMatch`, but reads the scores of those words alone where a match begins: with all, ranking takes three times as long. */
function bestScore({ folded, scores }: MatchingFood, matchesAt: MatchesAt): number {
  let best = INSIDE_WORDS;
  for (let at = scores.startsWith(REPEAT_MARK) ? REPEAT_MARK.length : 0; at < scores.length; ) {
    const colon = scores.indexOf(':', at);
    const position = Number.parseInt(scores.slice(at, colon), 36);
    at = colon + 1 + SCORES_LENGTH + 1;
    for (const match of matchesAt(folded, position)) {
      const place = colon + 1 + PLACE_OF[match.end];
      best = Math.max(best, Number.parseInt(scores.slice(place, place + 2), 16) + bonusOf(match));
    }
  }
  return best;
}
