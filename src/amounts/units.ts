/** Units, pieces and their sizes, in the language of their line. */
import { isEqual } from './fraction.ts';
import { isOneOf, type Line, matchAt, means, type Named, once, past, textAt } from './line.ts';
import { KIND, type Match, type Sense } from './words.ts';

const TWO_UNITS = 'The unit has two meanings.';

/** Words that name no food and no amount, by which the language of a line shows. */
const SPOKEN =
  KIND.of | KIND.and | KIND.or | KIND.state | KIND['to taste'] | KIND.size | KIND.end | KIND.with;

function countVotes(line: Line): ReadonlyMap<string, number> {
  const votes = new Map<string, number>();
  if (line.language !== undefined) votes.set(line.language, 1);
  for (const at of line.tokens.keys()) {
    const languages = new Set(matchAt(line, at, SPOKEN)?.senses.map(({ language }) => language));
    for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  return votes;
}

/** In how many words of the line this language is recognized. */
function votesOf(line: Line, language: string): number {
  line.votes ??= countVotes(line);
  return line.votes.get(language) ?? 0;
}

const isSame = (a: Sense, b: Sense): boolean =>
  a.kind === b.kind && isEqual(a.value, b.value) && isEqual(a.unit.size, b.unit.size);

/** What the words mean, by the other words of the line where languages differ; with a doubt if these do not decide. */
function decide(line: Line, { senses }: Match): { sense: Sense; doubt?: string } {
  const [first] = senses;
  if (senses.every((sense) => isSame(sense, first))) return { sense: first };
  const voted = senses.map(({ language }) => votesOf(line, language));
  const best = senses.filter((_, i) => voted[i] === Math.max(...voted));
  const [sense = first] = best;
  return best.every((each) => isSame(each, sense)) ? { sense } : { sense, doubt: TWO_UNITS };
}

const nameOf = ({ text, tokens }: Line, start: number, next: number): string =>
  text.slice(tokens[start]?.start, tokens[next - 1]?.end).replace(/\.$/, '');

/** A unit or piece, with its size: "g", "heaped tbsp", "large cloves", "medium". */
export const unitAt = once((line, at) => {
  // "2 strip steaks"
  if (means(line, at, KIND.name | KIND.whole)) return undefined;
  const start = past(line, at, KIND.level);
  const size = matchAt(line, start, KIND.size);
  // "medium to large": the first counts.
  const other = size && matchAt(line, past(line, size.next, KIND.to | KIND.or), KIND.size);
  const sizeEnd = other?.next ?? size?.next ?? start;
  const behind = size && matchAt(line, past(line, sizeEnd, KIND.level), KIND.piece);
  const match = behind ?? matchAt(line, start, KIND.unit | KIND.piece) ?? size;
  if (match === undefined) return undefined;
  const { sense, doubt } = decide(line, match);
  const { kind, size: ofOne } = sense.unit;
  const name = sense.unit.name || nameOf(line, start, match.next);
  const piece = size && behind ? `${size.senses[0].unit.piece} ${sense.unit.piece}` : sense.unit.piece;
  const next = match === size ? sizeEnd : match.next;
  return { unit: { kind, name, size: ofOne, piece }, value: sense.value, next, doubt };
});

/** Whether words of these kinds are in the language of the line: "en" is a number in Swedish, and "in" in French; undefined if none are there. */
export const isSpoken = (line: Line, at: number, kinds: number): boolean | undefined =>
  matchAt(line, at, kinds)?.senses.some(({ language }) => language === 'en' || votesOf(line, language) > 0);

/** The unit behind a number, with or without a hyphen. */
export const unitBehind = (line: Line, at: number): Named | undefined =>
  unitAt(line, textAt(line, at) === '-' ? at + 1 : at);

/** "200 (g)", "1 (medium)". */
export function unitInBrackets(line: Line, at: number): Named | undefined {
  const unit = isOneOf(line, at, '([') ? unitAt(line, at + 1) : undefined;
  return unit && isOneOf(line, unit.next, ')]') ? { ...unit, next: unit.next + 1 } : undefined;
}

/** Behind a number is what makes it no amount: "2%", "2-inch", "7-grain", "3 x 3 cm". */
export function isNoAmount(line: Line, next: number): boolean {
  const { text, kind, isAttached = false } = line.tokens[next] ?? {};
  if (isOneOf(line, next, '%‰°"\'″') || means(line, next, KIND['no amount'])) return true;
  if (text === '-' && isAttached)
    return (
      line.tokens[next + 1]?.kind === 'word' &&
      !means(line, next + 1, KIND.unit | KIND.piece | KIND.size | KIND.number)
    );
  // "2nd", "1e3"; but "2eggs" and "2x".
  const isLetter = /^(?:(?![xX])\p{sc=Latn}|st|nd|rd|th)$/u;
  return isAttached && kind === 'word' && isLetter.test(text ?? '') && unitAt(line, next) === undefined;
}
