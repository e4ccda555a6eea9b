/** The words of a food without those of its amount, as searches from the most exact to the plainest. */
import {
  bracketAt,
  foodStart,
  isOneOf,
  type Line,
  matchAt,
  means,
  past,
  type Stated,
  textAt,
} from './line.ts';
import { UNSPACED } from './tokens.ts';
import { isSpoken } from './units.ts';
import { KIND } from './words.ts';

interface Word {
  readonly at: number;
  readonly isState: boolean;
  /** Whether it belongs to a name that needs all of its words. */
  readonly isWhole?: boolean;
}

export type NamedFood = Pick<FoodWords, 'food' | 'names' | 'isCooked'>;

export interface FoodWords {
  readonly food: string;
  /** The words that a food must have: "vinegar" of "rice vinegar", both of "taco sauce". */
  readonly needed: readonly string[];
  /** The words that name it, without those of states, sizes and forms, which it may lack, and without brands. */
  readonly names: readonly string[];
  readonly searches: readonly string[];
  readonly parts: readonly NamedFood[];
  /** What counts if there is no such food: "chicken stock" of "caldo de pollo or chicken stock". */
  readonly other?: NamedFood | undefined;
  readonly isCooked: boolean;
  /** The piece that the food's words name, in the words of portions: "clove" of "garlic cloves"; mostly empty. */
  readonly piece: string;
}

const STATE = KIND.state | KIND.size;

/** Words of a search beyond which it says more than a food does. */
const MOST_WORDS = 8;

/** The words of the food without those of amounts, and without notes, as searches from the most exact to the plainest. */
export function wordsOf(line: Line, places: readonly Stated[]): FoodWords {
  const { core, more, joints, headAt, end, piece } = scan(line, places);
  if (core.length + more.length === 0) return NO_WORDS;
  const food = textOf(line, core);
  const plainest = core.some(({ isState }) => isState) ? core.filter(({ isState }) => !isState) : core;
  const others = otherWords(line, end);
  const all = more.length === 0 || core.length + more.length > MOST_WORDS ? core : [...core, ...more];
  // "tortilla chips" of "bowl-shaped tortilla chips"
  const formed = headAt < 0 ? [] : core.filter(({ at }) => at >= headAt);
  const isFormed = formed.length > 1 && formed.every(({ isState }, i) => isState || i === 0);
  const textIn = (words: readonly Word[]) => (words === core ? food : textOf(line, words));
  const mixed = mixedFoods(line, others, food, plainest.length === 1);
  const isGeneral = means(line, headAt, KIND.general);
  // Flakes or leaves alone are no food, but fish sticks are.
  const isNothing = ({ at }: Word): boolean =>
    means(line, at, KIND.nothing) && !(isEnglish(line) && means(line, at, KIND.name));
  if (plainest.length > 0 && plainest.every(isNothing))
    return { ...NO_WORDS, food, names: namesIn(line, core, headAt) };
  const needed = plainest.filter(({ at }) => at === headAt || (isGeneral && at < headAt));
  const namedIn = (part: readonly Word[]): NamedFood => ({
    food: textIn(part),
    names: namesIn(line, part, part.at(-1)?.at ?? -1),
    isCooked: isCooked(line, part),
  });
  const [joint] = joints.length === 1 ? joints : [];
  return {
    food,
    needed: mixed.length > 0 ? [] : needed.map(({ at }) => textAt(line, at)),
    names: namesIn(line, core, headAt),
    searches: unique([...mixed, textIn(all), food, textIn(isFormed ? formed : core), textIn(plainest)]),
    parts: (joint ? [core.slice(0, joint), core.slice(joint + 1)] : [])
      .filter(({ length }) => length > 0)
      .map(namedIn),
    other: others.length > 0 ? namedIn(others) : undefined,
    isCooked: isCooked(line, [...core, ...more]),
    piece,
  };
}

export const unique = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, i) => text !== '' && texts.indexOf(text) === i);

const NO_WORDS: FoodWords = {
  food: '',
  needed: [],
  names: [],
  searches: [],
  parts: [],
  isCooked: false,
  piece: '',
};

const NO_NAME =
  KIND.and | KIND.with | KIND.of | KIND.or | KIND.to | KIND.in | KIND.level | KIND.about | KIND.number;

/** Whether a word is a unit or piece in the language of the line: of "2 cans tomatoes", but not of "hand cream". */
const isCounted = (line: Line, at: number): boolean =>
  isSpoken(line, at, KIND.piece | KIND.unit) === true && !means(line, at, KIND.name);

/** Whether words say that a food is cooked; but "chuck roast" is raw. */
const isCooked = (line: Line, words: readonly Word[]): boolean =>
  words.some(({ at }, i) => means(line, at, KIND.cooked) && (i === 0 || !means(line, at, KIND.form)));

/** In a line whose language is not known, too. */
const isEnglish = (line: Line): boolean => (line.language ?? 'en') === 'en';

/** What a brand is followed by. */
const MARK = /[®™]/;

/** What a mark follows is a brand, and so is in English a capital before a head without one: "Heinz ketchup", but "Fromage frais". */
function namesIn(line: Line, core: readonly Word[], headAt: number): readonly string[] {
  const startsLarge = (at: number): boolean => /^\p{Lu}/u.test(line.text.slice(line.tokens[at]?.start));
  const marked = line.text.search(MARK);
  const isBrand = ({ at }: Word): boolean =>
    at > 0 &&
    startsLarge(at) &&
    headAt > at &&
    ((isEnglish(line) && !startsLarge(headAt)) || (line.tokens[at]?.end ?? 0) <= marked);
  const runs = runsOf(line, core);
  const alone = core
    .filter((word) => !word.isState && line.tokens[word.at]?.kind === 'word' && !isBrand(word))
    .filter(
      ({ at, isWhole }) => at === headAt || !(means(line, at, NO_NAME) || (!isWhole && isCounted(line, at))),
    )
    .filter((word) => !runs.some((run) => run.includes(word)));
  return [...alone.map((word) => [word]), ...runs].map((run) => textOfRun(line, run));
}

const textOfRun = (line: Line, run: readonly Word[]): string =>
  run.map(({ at }) => textAt(line, at)).join('');

/** Words of scripts without spaces, each as its characters, without states at their ends. */
function runsOf(line: Line, core: readonly Word[]): readonly (readonly Word[])[] {
  const runs: Word[][] = [];
  for (const word of core) {
    if (!UNSPACED.test(textAt(line, word.at))) continue;
    const last = runs.at(-1)?.at(-1);
    if (last?.at === word.at - 1 && line.tokens[word.at]?.isAttached) runs.at(-1)?.push(word);
    else runs.push([word]);
  }
  const isName = ({ isState }: Word): boolean => !isState;
  return runs
    .filter(({ length }) => length > 1)
    .map((run) => run.slice(Math.max(0, run.findIndex(isName)), run.findLastIndex(isName) + 1))
    .filter(({ length }) => length > 0);
}

/** The words of the food, and of its notes those that say its state. */
function scan(line: Line, places: readonly Stated[]) {
  const core: Word[] = [];
  const more: Word[] = [];
  const joints: number[] = [];
  let depth = 0;
  let isBehind = false;
  let headAt = -1;
  let stateEnd = 0;
  let isHeadBehind = true;
  let isInside = false;
  let nameEnd = 0;
  let wholeEnd = 0;
  let piece = '';
  let at = 0;
  let behind = 0;
  for (let next = 0; at < line.tokens.length; at = next) {
    while ((places[behind]?.start ?? at) < at) behind++;
    wholeEnd = Math.max(wholeEnd, past(line, at, KIND.whole));
    const place = places[behind]?.start === at ? places[behind] : undefined;
    const isWhole = at < wholeEnd;
    const mayEnd = depth === 0 && core.length > 0 && !isWhole;
    const end = mayEnd ? matchAt(line, at, KIND.or | KIND.end) : undefined;
    const noteEnd = isWhole ? at : notesEnd(line, at, core.length === 0);
    next = place === undefined ? noteEnd : foodStart(line, place.next, KIND.of | KIND.each);
    if (end !== undefined && end.next >= next) {
      if (end.senses.some(({ kind }) => kind === KIND.end) || core.some(({ isState }) => !isState)) break;
      // "brown or white sugar"
      next = past(line, end.next, STATE);
    }
    // "an egg and a half"
    const joined = past(line, at, KIND.and);
    if (places[behind]?.start === joined) next = Math.max(next, joined);
    if (next > at) continue;
    next = at + 1;
    const text = textAt(line, at);
    depth += bracketAt(line, at);
    isBehind ||= headAt >= 0 && isBreak(line, at);
    if (!isWord(line, at)) continue;
    // A piece behind the food is a form of it: "cod fillets".
    const isForm = headAt >= 0 && !isBehind && depth === 0;
    stateEnd = Math.max(stateEnd, past(line, at, isForm ? STATE | KIND.form | KIND.piece : STATE));
    if (isForm) piece ||= matchAt(line, at, KIND.piece)?.senses[0].unit.piece.replace('piece', '') ?? '';
    isInside ||= isForm && means(line, at, KIND.in);
    const word = { at, isState: !isWhole && (at < stateEnd || (isInside && isForm)), isWhole };
    if (isBehind || depth > 0) {
      if (depth === 0 || word.isState) more.push(word);
      continue;
    }
    nameEnd = Math.max(nameEnd, past(line, at, KIND.name));
    // "half-and-half" is one food.
    if (core.length > 0 && at >= nameEnd && (text === '&' || means(line, at, KIND.and | KIND.with)))
      joints.push(core.length);
    isHeadBehind &&= headAt < 0 || !means(line, at, KIND.of | KIND.and | KIND.with);
    if (isHeadBehind && !word.isState && line.tokens[at]?.kind === 'word') headAt = at;
    core.push(word);
  }
  return { core, more, joints, headAt, end: at, piece };
}

/** Behind it, words describe the food: a comma, a bracket, a dash with blanks. */
const isBreak = (line: Line, at: number): boolean =>
  isOneOf(line, at, ',;(–—') || (textAt(line, at) === '-' && line.tokens[at]?.isAttached === false);

/** The words behind "or", if no amount is among them. */
function otherWords(line: Line, at: number): readonly Word[] {
  const from = past(line, at, KIND.or);
  if (from === at) return [];
  let to = from;
  while (isWord(line, to) && !means(line, to, KIND.end)) to++;
  const hasNumber = line.tokens.slice(from, to).some(({ kind }) => kind === 'number');
  return Array.from({ length: hasNumber ? 0 : to - from }, (_, i) => ({
    at: from + i,
    isState: means(line, from + i, STATE),
  }));
}

/** "chicken broth" and "vegetable broth" of "chicken or vegetable broth", but butter is no oil in "butter or olive oil". */
function mixedFoods(line: Line, others: readonly Word[], food: string, isOne: boolean): readonly string[] {
  const head = textAt(line, others.at(-1)?.at ?? -1);
  if (
    !isOne ||
    others.length < 2 ||
    (head === 'oil' && line.words.marks.has('fats', food.replace(/^.*\s/, '')))
  )
    return [];
  return [`${food} ${head}`, ...(line.words.marks.has('stock', head) ? [textOf(line, others)] : [])];
}

/** The token behind words that no search needs, from this one on. */
function notesEnd(line: Line, at: number, isFirst: boolean): number {
  const note =
    matchAt(line, at, KIND['to taste'] | KIND.drop | KIND.about | KIND.level) ??
    (isFirst && !means(line, at, KIND.name) ? matchAt(line, at, KIND.of | KIND.vague | KIND.and) : undefined);
  // "full" may be dropped, but not of "full fat".
  if (note !== undefined && past(line, at, STATE) <= note.next) return note.next;
  const sign = past(line, at, KIND['number sign']);
  if (sign > at && line.tokens[sign]?.kind === 'number') return sign + 1;
  if (line.tokens[at]?.kind !== 'number') return at;
  // "1 1/2-inch", "350 °F"; but "2%" and "7-grain" are names.
  const isHyphen = textAt(line, at + 1) === '-';
  const unit = matchAt(line, isHyphen ? at + 2 : at + 1, KIND['no amount']);
  const isName = isHyphen || textAt(line, at + 1) === '%' || means(line, at, KIND.name);
  return unit?.next ?? (isName ? at : at + 1);
}

/** A word, or a sign that joins words: "low-fat", "l'huile". */
const isWord = (line: Line, at: number): boolean => {
  const { kind = 'sign', text = '', isAttached = false } = line.tokens[at] ?? {};
  return kind !== 'sign' || text === '%' || text === '&' || (isOneOf(line, at, "'-") && isAttached);
};

function textOf({ text, tokens }: Line, words: readonly Word[]): string {
  let typed = '';
  for (const [i, { at }] of words.entries()) {
    const { start = 0, end = 0, isAttached = false } = tokens[at] ?? {};
    const isJoined = i === 0 || (isAttached && words[i - 1]?.at === at - 1);
    typed += (isJoined ? '' : ' ') + text.slice(start, end);
  }
  return typed;
}
