/**
 * The readings of a text: as typed, two words as one ("chick peas"), one as two ("cornbread"), by other names of the same food,
 * with words of nearly the same spelling. They compete in one search (`word-search.ts`); the best one of each food counts.
 *
 * Each word, or a few side by side, has options. The cheapest ways through the text, an option after another, are found from
 * its end on, as in any shortest path without circles.
 */
import type { OtherNames, Replacement, WordsAnswer, WordsReading } from '#core';
import { PARTICLES } from '../order/kinds.ts';
import { missingLoss, WEIGHT_UNIT, weightOf } from '../order/points.ts';
import { hasRuns } from '../order/script-runs.ts';
import {
  type AskedWord,
  askedWhole,
  askedWord,
  askedWords,
  isKnown,
  MOST_WORDS,
  withoutImplied,
  wordsOf,
} from './asked-words.ts';
import { rangesOf } from './selection.ts';
import { corrections, type Effort } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One way to understand a text. */
export interface Reading extends WordsReading {
  readonly words: readonly AskedWord[];
  /** All words of the text in this reading, and if some lack accents, with these: if they are a name of a food, it is meant. */
  readonly names: readonly (readonly string[])[];
  /** Whether foods have the last word, which in English says what the food is, as a whole and without a correction. */
  readonly hasHead: boolean;
}

/** What some words of the text may mean. */
interface Option {
  /** The number of these words, side by side. */
  readonly length: number;
  readonly words: readonly string[];
  readonly loss: number;
  /** Whether no food has it. */
  readonly isUnknown?: boolean;
  /** Whether it is of nearly the same spelling. */
  readonly isCorrected?: boolean;
}

/** The options of a text from one of its words to its end. */
interface Path {
  readonly words: readonly string[];
  readonly replaced: readonly Replacement[];
  readonly loss: number;
  /** Its loss, and that of words that no food has: cheaper ones are tried rather. */
  readonly cost: number;
  readonly hasHead: boolean;
}

/** Readings other than the text as typed. More find nothing better, and take time. */
const MOST_OTHERS = 2;

/** A name that foods have is rather meant than another name of the same food: "biscuit" is a biscuit before a cookie. */
const OTHER_NAME_LOSS = 10;

/** Two known words are rather meant than one of both: "low carb" is not the product "Lowcarb". */
const JOINED_LOSS = 40;

/** Of each further one of the corrections of a word. */
const CORRECTION_LOSS = 20;

/**
 * Short words are near others by chance: "latte" is one letter from "late", and from the beginning of "battered". So they are not
 * corrected to beginnings, and in a text of several words, which is understood without, only at a loss.
 */
const [SHORT_WORD, SHORT_LOSS] = [6, 60];

/** Letters that each half of a compound has at least: "cornbread", not "a" and "pple". */
const LEAST_OF_HALF = 3;

const ONE_LETTER = /^[a-z]$/;

/** And at most, which bounds the cuts of a word, whatever words the foods have: the longest of 616,160 real ones has 37 letters. */
const MOST_OF_HALF = 64;

/** Characters that all corrections of a text compare: this bounds their time. */
const MOST_COMPARED = 50_000;

/** The readings of a text, the cheapest first; none if no food has any of its words. */
export function readingsOf(vocabulary: Vocabulary, text: string, names: OtherNames): Reading[] {
  const words = wordsOf(text);
  const effort: Effort = { left: MOST_COMPARED };
  const asked = new Map(
    words.map((word, i) => [word, askedWords(vocabulary, word, i === words.length - 1)] as const),
  );
  const paths: Path[][] = [];
  paths[words.length] = [{ words: [], replaced: [], loss: 0, cost: 0, hasHead: false }];
  for (let i = words.length - 1; i >= 0; i--) {
    const typed = {
      length: 1,
      words: [words[i]!],
      loss: 0,
      isUnknown: !asked.get(words[i]!)!.every(isKnown),
    };
    const others = [
      ...otherNames(vocabulary, words, i, names),
      ...joined(vocabulary, words, i),
      ...(typed.isUnknown && !hasRuns(words[i]!) ? divided(vocabulary, words[i]!) : []),
      ...(typed.isUnknown ? corrected(vocabulary, words, i, effort) : []),
    ];
    // Of equally cheap ones the first stays: "bean curd" is tofu before its curd is yogurt.
    paths[i] = cheapest(
      [...others, typed].flatMap((option) =>
        extended(vocabulary, option, words.slice(i), paths[i + option.length]!),
      ),
    );
  }
  const isParticle = (word: string): boolean => PARTICLES.has(word) && word !== words.at(-1);
  return paths[0]!
    .map((path) => ({
      words: withoutImplied(
        distinct(
          path.words
            .filter((word) => !isParticle(word))
            .flatMap((word) => asked.get(word) ?? askedWords(vocabulary, word)),
        ),
      ).slice(0, MOST_WORDS),
      names: [path.words, ...accentedName(path.words, asked)],
      replaced: path.replaced,
      loss: path.loss,
      hasHead: path.hasHead,
    }))
    .filter((reading) => reading.words.some(isKnown));
}

function accentedName(
  words: readonly string[],
  asked: ReadonlyMap<string, readonly AskedWord[]>,
): readonly (readonly string[])[] {
  const name = words.map((word) => asked.get(word)?.[0]?.accents ?? word);
  return name.some((word, i) => word !== words[i]) ? [name] : [];
}

/** The distinct words of all readings. */
export const wordsIn = (readings: readonly Reading[]): AskedWord[] =>
  distinct(readings.flatMap(({ words }) => words));

const distinct = (words: readonly AskedWord[]): AskedWord[] => [
  ...new Map(words.map((word) => [word.text, word] as const)).values(),
];

/** A search for a single word. */
export interface OnlyWord extends Pick<WordsAnswer, 'replaced' | 'missing'>, Pick<Reading, 'hasHead'> {
  /** With its accents. */
  readonly word: AskedWord;
  /** With or without them. */
  readonly reading: Reading;
}

/** The only word that any food has, if there is one reading: a search for it needs no others. */
export function onlyWordOf(vocabulary: Vocabulary, readings: readonly Reading[]): OnlyWord | undefined {
  const [{ words = [], replaced = [], hasHead = false } = {}] = readings;
  const [word, another] = words.filter(isKnown);
  if (readings.length !== 1 || word === undefined || another !== undefined) return undefined;
  if (word.whole !== undefined) return undefined;
  const missing = words.filter((each) => each !== word).map(({ text }) => text);
  const accented = word.accents === undefined ? word : askedWord(vocabulary, word.accents);
  return { word: accented, reading: readingOf(word), replaced, hasHead, missing };
}

/** A word as typed. */
export const readingOf = (word: AskedWord): Reading => ({
  words: [word],
  names: [[word.accents ?? word.text]],
  replaced: [],
  loss: 0,
  hasHead: true,
});

/**
 * The foods of a single word in order: the one whose description is the word, those that have it as a name, and the others.
 * @param described the foods that have the word in their description, best first; @param isWhole whether the first one has no more
 */
export const onlyWordOrder = (
  described: Int32Array | readonly number[],
  isWhole: boolean,
  named: readonly number[],
): number[] => [...(isWhole ? described.slice(0, 1) : []), ...named, ...described];

function extended(
  vocabulary: Vocabulary,
  option: Option,
  words: readonly string[],
  paths: readonly Path[],
): Path[] {
  const isHead = option.length === words.length;
  const hasHead = isHead && option.isCorrected !== true && isName(vocabulary, option.words);
  const typed = words.slice(0, option.length).join(' ');
  const searched = option.words.join(' ');
  const replaced = typed === searched ? [] : [{ typed, searched }];
  return paths.map((path) => ({
    words: [...option.words, ...path.words],
    replaced: [...replaced, ...path.replaced],
    loss: option.loss + path.loss,
    cost: option.loss + path.cost + (option.isUnknown ? missingLoss() : 0),
    hasHead: isHead ? hasHead : path.hasHead,
  }));
}

/** The text as typed is always among them, and once: another name may be the words that were typed. */
function cheapest(paths: readonly Path[]): Path[] {
  const isTyped = ({ replaced }: Path): boolean => replaced.length === 0;
  const sorted = paths.toSorted((a, b) => a.cost - b.cost);
  const typed = sorted.find(isTyped);
  const others = sorted.filter((path) => !isTyped(path)).slice(0, MOST_OTHERS);
  return sorted.filter((path) => path === typed || others.includes(path));
}

/** Other names of the name that begins at a word, if foods have them. */
function otherNames(
  vocabulary: Vocabulary,
  words: readonly string[],
  from: number,
  names: OtherNames,
): Option[] {
  const options: Option[] = [];
  for (let length = Math.min(names.longest, words.length - from); length > 0; length--) {
    const name = words.slice(from, from + length);
    const others = names.of(name);
    const isUsed = others.length > 0 && isName(vocabulary, name);
    for (const { words: other, isPreferred } of others) {
      if ((isUsed && !isPreferred) || !isName(vocabulary, other)) continue;
      options.push({ length, words: other, loss: isUsed ? OTHER_NAME_LOSS : 0 });
    }
  }
  return options;
}

const isName = (vocabulary: Vocabulary, words: readonly string[]): boolean =>
  words.every((word) => isKnown(askedWhole(vocabulary, word)));

/** A word and the next one as one. */
function joined(vocabulary: Vocabulary, words: readonly string[], at: number): Option[] {
  if (at + 1 >= words.length) return [];
  const [one, other] = words.slice(at, at + 2) as [string, string];
  const word = one + other;
  // "40 g oats" are no goats.
  if (ONE_LETTER.test(one) || ONE_LETTER.test(other)) return [];
  if (!isName(vocabulary, [word])) return [];
  const loss = isName(vocabulary, [one, other]) ? JOINED_LOSS : 0;
  return [{ length: 2, words: [word], loss }];
}

/** A word as two, of which the rarer one is as common as possible. Cuts end where no word begins with the first half. */
function divided(vocabulary: Vocabulary, word: string): Option[] {
  let best: Option[] = [];
  let most = 0;
  let cut = 0;
  const first = Math.max(LEAST_OF_HALF, word.length - MOST_OF_HALF);
  const last = Math.min(MOST_OF_HALF, word.length - LEAST_OF_HALF);
  // By characters: half of one would be found as U+FFFD.
  for (const character of word) {
    cut += character.length;
    if (cut > last) break;
    if (cut < first) continue;
    const halves = [word.slice(0, cut), word.slice(cut)] as const;
    const { from, to } = vocabulary.begunBy(halves[0]);
    if (from === to) break;
    const foods = Math.min(...halves.map((half) => foodsWith(vocabulary, half)));
    if (foods > most) [most, best] = [foods, [{ length: 1, words: halves, loss: 0 }]];
  }
  return best;
}

function foodsWith(vocabulary: Vocabulary, text: string): number {
  const word = vocabulary.find(text);
  return word < 0 ? 0 : vocabulary.foodsOf({ from: word, to: word + 1 });
}

function corrected(vocabulary: Vocabulary, words: readonly string[], at: number, effort: Effort): Option[] {
  const word = words[at]!;
  const isAlone = words.length === 1;
  const isUnfinished = isAlone && word.length >= SHORT_WORD;
  const likely = corrections(vocabulary, word, isUnfinished, effort).filter((each) => !words.includes(each));
  const loss = !isAlone && word.length < SHORT_WORD ? SHORT_LOSS : 0;
  return likely.slice(0, isAlone ? 1 : undefined).map((each, rank) => ({
    length: 1,
    words: [each],
    loss: loss + CORRECTION_LOSS * rank + (isAlone ? 0 : lossOfCommon(vocabulary, each)),
    isCorrected: true,
  }));
}

/** Half of what a word weighs less than the unknown one that it corrects: "cool" is not "cook", with which many words begin. */
function lossOfCommon(vocabulary: Vocabulary, text: string): number {
  const foods = rangesOf(askedWord(vocabulary, text)).reduce(
    (sum, range) => sum + vocabulary.foodsOf(range),
    0,
  );
  const weight = weightOf(foods, vocabulary.foods);
  return Math.round((missingLoss() * (1 - weight / WEIGHT_UNIT)) / 2);
}
