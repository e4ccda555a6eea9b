/** The words of data/amounts.txt, by which amounts are read in every language. */
import { PLAIN_LETTERS } from '#core';
import type { Unit } from './amount.ts';
import { type Fraction, fraction, ONE, ofDecimal } from './fraction.ts';
import { Marks } from './marks.ts';
import { plain, type Token, tokensOf } from './tokens.ts';

/** What words mean: the kinds of data/amounts.txt, of which all units are one. */
const KINDS = [
  ...(['level', 'about', 'between', 'vague', 'to taste', 'of', 'to', 'and', 'with', 'or', 'each'] as const),
  ...(['end', 'in', 'form', 'general', 'nothing', 'state', 'cooked', 'drop', 'number sign'] as const),
  ...(['no amount', 'name', 'whole', 'number', 'times', 'size', 'unit', 'piece'] as const),
];

/** A bit for each kind of words, so that one comparison looks for several. */
export const KIND = Object.fromEntries(KINDS.map((kind, i) => [kind, 1 << i])) as Readonly<
  Record<(typeof KINDS)[number], number>
>;

export interface Sense {
  /** A bit of `KIND`. */
  readonly kind: number;
  readonly language: string;
  /** Of a number; of a unit how many of `unit` it is: 10 g of a dkg. */
  readonly value: Fraction;
  /** What a unit, a piece or a size counts; the name is empty if it is shown as typed. */
  readonly unit: Unit;
}

export interface Match {
  /** What the words mean, in different languages. */
  readonly senses: readonly [Sense, ...Sense[]];
  /** The kinds of `senses`, as bits of `KIND`. */
  readonly kinds: number;
  /** The token after them. */
  readonly next: number;
  /** What fewer of these words mean. */
  readonly shorter?: Match | undefined;
}

const unitOf = (kind: Unit['kind'], name: string, size: string, piece = ''): Unit => {
  return { kind, name, size: ofDecimal(size || '0'), piece };
};
export const PIECE = unitOf('piece', '', '');

/** Grams or millilitres of the units that are shown by their name in every language. */
const SIZES: Readonly<Record<'g' | 'ml', Readonly<Record<string, string>>>> = {
  g: { mg: '0.001', g: '1', kg: '1000', oz: '28.35', lb: '453.592' },
  ml: {
    ...{ ml: '1', cl: '10', dl: '100', l: '1000', tsp: '4.929', tbsp: '14.787', cup: '236.588' },
    ...{ 'fl oz': '29.574', pint: '473.176', quart: '946.353', gallon: '3785.412' },
  },
};
/** Grams of the others, which are shown in grams. */
const MULTIPLES: Readonly<Record<string, string>> = { dkg: '10', hg: '100' };

/** What the kind of a line of the file says; undefined if there is no such kind. */
function senseOf(line: string): Omit<Sense, 'language'> | undefined {
  const [, word = '', more = ''] =
    /^(number|times|piece|size|cup of|measure of) (?!sign)(.+)$/.exec(line) ?? [];
  // "1/2", "200 ml"
  const [size = '', of] = more.split(/[ /]/);
  const sense = (kind: number, unit = PIECE, value = ONE) => ({ kind, unit, value });
  if (word === 'number' || word === 'times')
    return sense(KIND[word], PIECE, fraction(Number(size), Number(of ?? 1)));
  if (word === 'piece' || word === 'size') return sense(KIND[word], unitOf('piece', '', '', more));
  if (word === 'cup of') return sense(KIND.unit, unitOf('ml', 'ml', '1'), ofDecimal(size));
  if (word === 'measure of') return sense(KIND.unit, unitOf(of === 'g' ? 'g' : 'ml', '', size));
  const multiple = MULTIPLES[line];
  if (multiple !== undefined) return sense(KIND.unit, unitOf('g', 'g', '1'), ofDecimal(multiple));
  for (const kind of ['g', 'ml'] as const) {
    const known = SIZES[kind][line];
    if (known !== undefined) return sense(KIND.unit, unitOf(kind, line, known));
  }
  const other = KINDS.find((each) => each === line);
  const general = other === 'cooked' ? KIND.state : other === 'between' ? KIND.about : 0;
  return other && sense(KIND[other] | general);
}

interface Node {
  readonly next: Map<string, Node>;
  readonly senses: Sense[];
  kinds: number;
}

const UNDIVIDED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/** As people type where their keyboard has no accents. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(?<=\p{sc=Latn}|\p{sc=Grek})\p{M}+/gu, '')
    .replace(UNDIVIDED, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');

/** Words that are tokens as they are, which most are. */
const SIMPLE = /^[a-zß-ɏͰ-ӿ]+(?: [a-zß-ɏͰ-ӿ]+)*$/;

export class Words {
  readonly #roots: readonly [Node] = [{ next: new Map(), senses: [], kinds: 0 }];

  readonly marks = new Marks();

  /** @param text of data/amounts.txt, or blocks of it */
  constructor(text: string) {
    this.add(text);
  }

  /** @param text further blocks */
  add(text: string): void {
    let language = '';
    const lines = plain(text)
      .replace(/^#.*\n/gm, '')
      .replace(/\n[ \t]+/g, ' ')
      .split('\n');
    for (const line of lines) {
      language = /^\[(\w+)\]/.exec(line)?.[1] ?? language;
      const colon = line.indexOf(': ');
      this.marks.add(line.slice(0, colon), line.slice(colon + 2));
      const sense = colon < 0 ? undefined : senseOf(line.slice(0, colon));
      if (sense === undefined) continue;
      const words = line.slice(colon + 2);
      const known = { ...sense, language };
      const bare = withoutAccents(words);
      for (const word of words.split('|')) this.#add(word.trim(), known);
      if (bare === words) continue;
      for (const word of bare.split('|')) if (word.trim().length > 1) this.#add(word.trim(), known);
    }
  }

  #add(word: string, sense: Sense): void {
    let [node]: readonly [Node] = this.#roots;
    const texts = SIMPLE.test(word) ? word.split(' ') : tokensOf(word).map(({ text }) => text);
    for (const text of texts) {
      const next = node.next.get(text) ?? { next: new Map(), senses: [], kinds: 0 };
      node.next.set(text, next);
      node = next;
    }
    if (!node.senses.includes(sense)) node.senses.push(sense);
    node.kinds |= sense.kind;
  }

  /** What the most words from this token on mean; undefined if they mean nothing. */
  meanings(tokens: readonly Token[], at: number): Match | undefined {
    let match: Match | undefined;
    let nodes: readonly Node[] = this.#roots;
    for (let i = at; i < tokens.length && nodes.length > 0; i++) {
      if (i > at && isHyphen(tokens, i)) continue;
      nodes = childrenOf(nodes, tokens[i]?.text ?? '');
      const senses = nodes.length === 1 ? nodes[0]?.senses : nodes.flatMap((node) => node.senses);
      const kinds = nodes.reduce((sum, node) => sum | node.kinds, 0);
      if (kinds !== 0) match = { senses: senses as [Sense, ...Sense[]], kinds, next: i + 1, shorter: match };
    }
    return match;
  }
}

/** "free-range" is the words "free range". */
export const isHyphen = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === '-' && tokens[at]?.isAttached === true && tokens[at + 1]?.isAttached === true;

const NONE: readonly Node[] = [];
const ENDINGS = ['', 's', 'es'];

/** A single letter may be a capital, and a longer word a plural. */
function childrenOf(nodes: readonly Node[], text: string): readonly Node[] {
  let children = NONE;
  for (const { next } of nodes)
    for (const ending of ENDINGS) {
      if (ending !== '' && (text.length < 4 || !text.endsWith(ending))) break;
      const form = text.slice(0, text.length - ending.length);
      const child = next.get(form) ?? (text.length === 1 ? next.get(text.toLowerCase()) : undefined);
      if (child !== undefined) children = [...children, child];
    }
  return children;
}
