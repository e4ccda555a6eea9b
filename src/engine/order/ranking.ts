/**
 * The order of the results: type `milk` and get milk, not buttermilk biscuits.
 *
 * A food has the score of the best place of the query in its name. The score of a place is a sum of
 *   - static points of the name: word lists (raw up, baby food down), brand, size of its family, length;
 *   - points of the place: in the part that names the food or in a later one, begins that part or ends it;
 *   - points of how the match ends: with its part, a word, a plural, or inside a word (`MatchEnd`).
 * A match that begins inside a word (`tea` in "steak") comes after all others, by the static score alone; so do, after all new
 * names, foods with the name of an earlier one. The food whose description is the query comes first.
 *
 * The scores are made with the index. So nothing here may depend on the query except how the match ends, which divides its
 * range into a few. Points are in tenths.
 */
import type { EverydayFoods } from './everyday-foods.ts';
import { type FoodName, IN_BRACKETS, isWholeDescription, textOf } from './food-name.ts';
import { BEGINS_PAIR, KIND_OF, KIND_OF_PAIR, KINDS, LINKS } from './kinds.ts';
import type { MatchEnd, WordScores } from './match-end.ts';
import {
  deniedPoints,
  MOST_POPULAR,
  OTHER_NAME_PLACE,
  PLACE_WEIGHT,
  POINTS,
  placeScoreOf,
  scoreOf,
  WHOLE_SCORE,
  WORD_WEIGHTS,
} from './points.ts';
import { scriptFolded, spellingsOf } from './script-runs.ts';
import type { NameStatistics } from './statistics.ts';

export interface Reason {
  readonly text: string;
  readonly about: string;
  /** In tenths. */
  readonly points: number;
}

/** The scores of a food: by itself, and of a match at each of its words. */
export interface NameScores {
  readonly staticScore: number;
  readonly words: readonly WordScores[];
  /** For each word its byte in searches for several words (`points.ts: placeScoreOf`). */
  readonly places: readonly number[];
}

/** Scoring and explaining are the same code: with a list, each summand is also written down. @param about a part of the description */
function note(
  reasons: Reason[] | null,
  points: number,
  text: string,
  folded = '',
  about?: { readonly start: number; readonly end: number },
): number {
  if (reasons !== null && points !== 0) {
    reasons.push({
      text,
      about: about === undefined ? folded : folded.slice(about.start, about.end),
      points,
    });
  }
  return points;
}

export class Ranking {
  readonly #statistics: NameStatistics;
  readonly #everyday: EverydayFoods | undefined;

  constructor(statistics: NameStatistics, everyday?: EverydayFoods) {
    this.#statistics = statistics;
    this.#everyday = everyday;
  }

  /** @param popularity from 0 to MOST_POPULAR; @param sameName the number of foods with this name */
  scores(name: FoodName, popularity: number, sameName: number): NameScores {
    const base = this.#staticPoints(name, sameName, popularity, null);
    const places: number[] = [];
    const words: WordScores[] = [];
    for (let i = 0; i < name.words.length; i++) {
      const before = this.#pointsBefore(name, i, null);
      const part = this.#partPoints(name, i, null);
      const segmentEnd = this.#endingPoints(name, i, 'segmentEnd', part, null);
      const wordEnd = this.#endingPoints(name, i, 'wordEnd', part, null);
      const inside = this.#endingPoints(name, i, 'inside', part, null);
      places.push(this.#placeOf(name, i, name.words[i]!.ends ? segmentEnd : wordEnd));
      words.push({
        position: name.words[i]!.start,
        segmentEnd: isWholeDescription(name, i) ? WHOLE_SCORE : scoreOf(base + before + segmentEnd),
        wordEnd: scoreOf(base + (before + this.#pointsBehind(name, i, null)) + wordEnd),
        inside: scoreOf(base + inside),
      });
    }
    return { staticScore: scoreOf(base), words, places };
  }

  /** The summands of the score of a match at `position`; of the static score if no word begins there. */
  explain(name: FoodName, position: number, end: MatchEnd, popularity: number, sameName: number): Reason[] {
    const reasons = this.explainStatic(name, popularity, sameName);
    const index = name.words.findIndex((word) => word.start === position);
    if (index < 0) return reasons;
    this.#placePoints(name, index, end, reasons);
    if (end !== 'inside') this.#pointsBefore(name, index, reasons);
    if (end === 'wordEnd') this.#pointsBehind(name, index, reasons);
    return reasons;
  }

  explainStatic(name: FoodName, popularity: number, sameName: number): Reason[] {
    const reasons: Reason[] = [];
    this.#staticPoints(name, sameName, popularity, reasons);
    return reasons;
  }

  /** The summands of the best place of a word, which is searched for with others. @param isInOther whether another name has it */
  explainPlace(name: FoodName, text: string, isInOther: boolean): Reason[] {
    const reasons: Reason[] = [];
    const places = name.words.map((word, i) =>
      spellingsOf(scriptFolded(textOf(name.folded, word))).includes(text)
        ? this.#placeOf(name, i, this.#wordPoints(name, i, null))
        : Number.NEGATIVE_INFINITY,
    );
    const best = Math.max(...places);
    const index = places.indexOf(best);
    if (isInOther && !(best >= OTHER_NAME_PLACE)) {
      note(reasons, POINTS.wholeWord * PLACE_WEIGHT, 'in another name');
      return reasons;
    }
    const points = this.#askedWordPoints(name, index, this.#wordPoints(name, index, reasons), reasons);
    if (name.words[index]!.isDenied) note(reasons, Math.min(0, deniedPoints() - points), 'not in the food');
    return reasons.map((reason) => ({ ...reason, points: reason.points * PLACE_WEIGHT }));
  }

  /** The byte of a word that is searched for with others. @param points of its place, as the last word of its part or not */
  #placeOf(name: FoodName, index: number, points: number): number {
    const place = placeScoreOf(this.#askedWordPoints(name, index, points, null));
    return name.words[index]!.isDenied ? Math.min(place, WORD_WEIGHTS.denied) : place;
  }

  #staticPoints(name: FoodName, sameName: number, popularity: number, reasons: Reason[] | null): number {
    return (
      this.#kindPoints(name, reasons) +
      this.#familyPoints(name, sameName, reasons) +
      note(reasons, (POINTS.popularity * popularity) / MOST_POPULAR, 'popular') +
      note(reasons, POINTS.everyday * (this.#everyday?.nearness(name) ?? 0), 'like an everyday food') +
      note(reasons, POINTS.length * Math.log2(Math.max(name.folded.length, 1) / 20), 'length')
    );
  }

  #kindPoints({ folded, words, front }: FoodName, reasons: Reason[] | null): number {
    let sum = 0;
    let counted = 0; // one bit a kind
    let branded = false;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      if (word.brand && !branded) {
        branded = true;
        sum += note(reasons, POINTS.brand, 'brand', folded, word);
      }
      let index = KIND_OF.of(folded, word);
      let text = '';
      if (i + 1 < words.length && BEGINS_PAIR.of(folded, word)) {
        const pair = `${textOf(folded, word)} ${textOf(folded, words[i + 1]!)}`;
        const indexOfPair = KIND_OF_PAIR.get(pair);
        if (indexOfPair !== undefined) {
          index = indexOfPair;
          text = pair;
          i++;
        }
      }
      if (index === undefined || (counted & (1 << index)) !== 0) continue;
      const { reason, points, where } = KINDS[index]!;
      if (where !== 'anywhere' && word.segment === IN_BRACKETS) continue;
      if (where === 'front' && word.segment !== front) continue;
      counted |= 1 << index;
      text ||= textOf(folded, word);
      sum += note(reasons, points, reason, text);
      const isMainForm = points > 0 && word.begins && word.segment === front + 1;
      if (isMainForm) sum += note(reasons, POINTS.mainForm, 'as its main form', text);
    }
    return sum;
  }

  #familyPoints(name: FoodName, foods: number, reasons: Reason[] | null): number {
    const { folded, words, segments } = name;
    const [first, second] = segments;
    const statistics = this.#statistics;
    let sum = note(reasons, POINTS.sameName * Math.log2(foods || 1), 'name of many foods');
    if (first === undefined) return sum;
    sum += note(reasons, POINTS.family * statistics.family(first), 'common food', folded, first);
    if (second === undefined) return sum;
    const taxonomy = statistics.taxonomy(first);
    const kind = words[second.firstWord]!;
    const subfamily = POINTS.subfamily * statistics.family(first, second);
    const secondWord = POINTS.secondWord * taxonomy * statistics.word(kind);
    sum += note(reasons, subfamily, 'common kind of it', folded, second);
    sum += note(reasons, secondWord, 'common word', folded, kind);
    const flavours = POINTS.flavour * (1 - taxonomy) * (segments.length - 1);
    const others = reasons === null ? undefined : { start: second.start, end: segments.at(-1)!.end };
    return sum + note(reasons, flavours, 'a flavour', folded, others);
  }

  /** The degree to which commas lead from the first segment to kinds of the food. */
  #taxonomyOf({ segments }: FoodName): number {
    const first = segments[0];
    return first === undefined ? 1 : this.#statistics.taxonomy(first);
  }

  #placePoints(name: FoodName, index: number, end: MatchEnd, reasons: Reason[] | null): number {
    return this.#endingPoints(name, index, end, this.#partPoints(name, index, reasons), reasons);
  }

  /** Points of the part of the name that a word is in. */
  #partPoints(name: FoodName, index: number, reasons: Reason[] | null): number {
    const word = name.words[index]!;
    // Names without kinds begin with a description of the food as often as with the food: "Organic coffee".
    let sum =
      index === 0 ? note(reasons, POINTS.textStart * this.#taxonomyOf(name), 'first word of the name') : 0;
    if (word.explains === name.front) sum += note(reasons, POINTS.otherName, 'another name in brackets');
    else if (word.segment === IN_BRACKETS) sum += note(reasons, POINTS.brackets, 'in brackets or the brand');
    else if (word.segment === 0) sum += note(reasons, POINTS.front, 'in the part that names the food');
    else if (word.segment <= name.front)
      sum += note(reasons, POINTS.behindShelf, 'names the food, behind its shelf');
    else if (word.segment === 1 && !name.isDish) sum += note(reasons, POINTS.second, 'in the second part');
    return sum;
  }

  /** Points of a match at a word by how it ends, added to those of its part. */
  #endingPoints(
    name: FoodName,
    index: number,
    end: MatchEnd,
    part: number,
    reasons: Reason[] | null,
  ): number {
    const word = name.words[index]!;
    const inFront = word.segment !== IN_BRACKETS && word.segment <= name.front;
    let sum = part;
    if (end === 'inside') {
      sum += note(reasons, POINTS.beganWord * this.#statistics.word(word), 'begins a common word');
      if (!word.begins || !inFront) return sum;
      sum += note(reasons, POINTS.begins, 'begins what names the food');
      return sum + (word.ends ? note(reasons, POINTS.beginsOnlyWord, 'begins its only word') : 0);
    }
    sum += note(reasons, POINTS.wholeWord, 'a whole word');
    if (end === 'segmentEnd' || word.ends) sum += this.#endPoints(name, index, inFront, reasons);
    else if (word.begins && inFront) sum += note(reasons, POINTS.begins, 'begins what names the food');
    return sum;
  }

  /** Points of the place of a word that is searched for with others. */
  #wordPoints(name: FoodName, index: number, reasons: Reason[] | null): number {
    return this.#placePoints(name, index, name.words[index]!.ends ? 'segmentEnd' : 'wordEnd', reasons);
  }

  /** The same with those of its neighbours, which may be searched for, too. */
  #askedWordPoints(name: FoodName, index: number, points: number, reasons: Reason[] | null): number {
    const { segment, link } = name.words[index]!;
    let sum = points;
    // The flavour of a dish, which is searched for here.
    if (segment === 1 && segment > name.front && name.isDish)
      sum += note(reasons, POINTS.second, 'in the second part');
    return sum + (link === undefined ? 0 : note(reasons, POINTS.addition, 'an addition', link));
  }

  /** Points of a match that ends its segment. */
  #endPoints(name: FoodName, index: number, inFront: boolean, reasons: Reason[] | null): number {
    const word = name.words[index]!;
    if (!word.begins) {
      if (LINKS.of(name.folded, name.words[index - 1]!) !== undefined) return 0;
      return note(reasons, inFront ? POINTS.endsFront : POINTS.ends, 'ends its part: says what it is');
    }
    let sum = note(reasons, POINTS.whole, 'all of its part');
    if (!inFront) return sum;
    sum += note(reasons, POINTS.wholeFront, 'all that names the food');
    const isWhole = index === 0 && name.segments.length === 1 && name.words[1]?.segment !== 0;
    return sum + (isWhole ? note(reasons, POINTS.wholeName, 'all of the name') : 0);
  }

  /** Points of the words before a match in its segment, including the last link. */
  #pointsBefore({ folded, words }: FoodName, index: number, reasons: Reason[] | null): number {
    const word = words[index]!;
    if (word.begins || word.segment === IN_BRACKETS) return 0;
    if (word.link !== undefined) return note(reasons, POINTS.addition, 'an addition', word.link);
    const before = words[index - 1]!;
    const points = POINTS.otherFoodBefore * this.#statistics.namesFood(before);
    return note(reasons, points, 'behind another food', folded, before);
  }

  /** Points of the word after a match that begins its segment, assuming that the match is one word. */
  #pointsBehind({ folded, words }: FoodName, index: number, reasons: Reason[] | null): number {
    const word = words[index]!;
    const behind = words[index + 1];
    if (!word.begins || behind === undefined || behind.segment !== word.segment) return 0;
    if (word.segment === IN_BRACKETS) return 0;
    const points = POINTS.otherFoodBehind * this.#statistics.namesFood(behind);
    if (points === 0 || LINKS.of(folded, behind) !== undefined) return 0;
    return note(reasons, points, 'before another food', folded, behind);
  }
}
