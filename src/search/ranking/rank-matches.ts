/**
 * Ranks a few foods for a query by the scores of their words, in the same order that `FoodIndex` finds without reading all
 * of them.
 */
import { MAX_ENTRIES } from '../../foods/food.ts';
import { closing, endAt, endOfText, isPossessive, type Match, type MatchEnd, PLURALS } from './match-end.ts';
import { pluralScore } from './points.ts';

/** A food whose folded description contains the query. */
export interface Candidate {
  readonly folded: string;
  readonly scores: string;
}

/** Marks, before the scores of its words, a food whose name an earlier food has. */
export const REPEAT_MARK = '*';

/** The offset of the byte of a score after the position. */
const PLACE_OF: Readonly<Record<MatchEnd, number>> = { segmentEnd: 0, wordEnd: 2, inside: 4 };
const SCORES_LENGTH = 6;

const INSIDE_WORDS = -100;
/** Above all scores, the singular above the plural. */
const WHOLE = 1000;
/** More than any difference between scores and these. */
const REPEATED = -10_000;

const isRepeat = ({ scores }: Candidate): boolean => scores.startsWith(REPEAT_MARK);

type MatchesAt = (folded: string, position: number) => readonly (Match | undefined)[];

/** The best of the candidates, which are in the order of their numbers. */
export function bestMatches<Food extends Candidate>(query: string, candidates: readonly Food[]): Food[] {
  const closed = endOfText(query);
  const matchesAt: MatchesAt = (folded, position) => {
    if (!folded.startsWith(query, position)) return [];
    return [closed === undefined ? endAt(folded, position + query.length) : { end: closed, isPlural: false }];
  };
  return bestBy(candidates, matchesAt, wholesAmong(query, candidates));
}

/** The best of the foods that have a word, a longer one that begins with it, or another form of it as a whole word. */
export function bestOfWord<Food extends Candidate>(
  word: string,
  otherForms: readonly string[],
  candidates: readonly Food[],
): Food[] {
  const itself = (folded: string, end: number) =>
    isPossessive(word) ? closedMatch(folded, end, false) : endAt(folded, end);
  return bestBy(candidates, (folded, position) => [
    folded.startsWith(word, position) ? itself(folded, position + word.length) : undefined,
    ...otherForms
      .filter((form) => folded.startsWith(form, position))
      .map((form) => closedMatch(folded, position + form.length, true)),
  ]);
}

function closedMatch(folded: string, position: number, isPlural: boolean): Match | undefined {
  const end = closing(folded, position);
  return end && { end, isPlural };
}

/** @param wholes scores of foods whose places do not count */
function bestBy<Food extends Candidate>(
  candidates: readonly Food[],
  matchesAt: MatchesAt,
  wholes: ReadonlyMap<Candidate, number> = new Map(),
): Food[] {
  const ranked = candidates.map((food) => {
    if (isRepeat(food)) return { food, score: REPEATED + scoreOf(food, REPEAT_MARK.length, matchesAt) };
    return { food, score: wholes.get(food) ?? scoreOf(food, 0, matchesAt) };
  });
  // The sort is stable: equal scores stay in the order of the numbers.
  ranked.sort((a, b) => b.score - a.score);
  return ranked.slice(0, MAX_ENTRIES).map(({ food }) => food);
}

/** The foods with new names whose description is the query, or its plural, with their scores. */
function wholesAmong(query: string, candidates: readonly Candidate[]): ReadonlyMap<Candidate, number> {
  const wholes = new Map<Candidate, number>();
  for (const ending of ['', ...PLURALS]) {
    const food = candidates.find((each) => each.folded === query + ending && !isRepeat(each));
    if (food !== undefined) wholes.set(food, ending === '' ? WHOLE : WHOLE - 1);
  }
  return wholes;
}

/** The same for all foods in which the query occurs only inside words. */
function scoreOf(food: Candidate, from: number, matchesAt: MatchesAt): number {
  let best = INSIDE_WORDS;
  for (let at = from; at < food.scores.length; ) {
    const colon = food.scores.indexOf(':', at);
    const position = Number.parseInt(food.scores.slice(at, colon), 36);
    at = colon + 1 + SCORES_LENGTH + 1;
    for (const match of matchesAt(food.folded, position)) {
      if (match === undefined) continue;
      const place = colon + 1 + PLACE_OF[match.end];
      const score = Number.parseInt(food.scores.slice(place, place + 2), 16);
      best = Math.max(best, score + (match.isPlural ? pluralScore() : 0));
    }
  }
  return best;
}
