/**
 * Says why a food stands where it does in an answer: the summands of its score, by the same rules that made
 * the index.
 */
import { fold } from '../../fold.ts';
import { readName } from './food-name.ts';
import { endAt, endOfText, type MatchEnd } from './match-end.ts';
import { POINTS, Ranking, type Reason } from './ranking.ts';
import { NameStatistics } from './statistics.ts';

export interface Explanation {
  /** In tenths; of the name alone where the match is inside a word. */
  readonly score: number;
  /** A match inside a word stands behind all that begin one. */
  readonly beginsWord: boolean;
  /** The summands of the score before it is rounded, the largest first. */
  readonly reasons: readonly Reason[];
}

export class Explainer {
  readonly #ranking: Ranking;

  /** @param foods all of the data set, since the rules count words in them */
  constructor(foods: Iterable<{ readonly description: string }>) {
    const statistics = new NameStatistics();
    for (const { description } of foods) statistics.add(nameOf(description));
    this.#ranking = new Ranking(statistics);
  }

  /** Explains a food by the best place where its description contains the text, which it does. */
  explain(description: string, text: string): Explanation {
    const name = nameOf(description);
    const folded = fold(text);
    const scores = new Map(this.#ranking.wordScores(name).map((word) => [word.position, word]));
    const closed = endOfText(folded);
    let best: { score: number; position: number; end: MatchEnd; isPlural: boolean } | undefined;
    for (let at = name.folded.indexOf(folded); at >= 0; at = name.folded.indexOf(folded, at + 1)) {
      const word = scores.get(at);
      if (word === undefined) continue;
      const { end, isPlural } =
        closed === undefined ? endAt(name.folded, at + folded.length) : { end: closed, isPlural: false };
      const score = word[end] + (isPlural ? POINTS.plural : 0);
      if (best === undefined || score > best.score) best = { score, position: at, end, isPlural };
    }
    if (best === undefined) {
      const reasons = this.#ranking.explain(name, -1, 'inside');
      return { score: this.#ranking.staticScore(name), beginsWord: false, reasons: sorted(reasons) };
    }
    const reasons = this.#ranking.explain(name, best.position, best.end);
    if (best.isPlural) reasons.push({ text: 'plural', about: '', points: POINTS.plural });
    return { score: best.score, beginsWord: true, reasons: sorted(reasons) };
  }
}

const nameOf = (description: string) => readName(description.normalize('NFC'), fold(description));

const sorted = (reasons: readonly Reason[]): Reason[] =>
  reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
