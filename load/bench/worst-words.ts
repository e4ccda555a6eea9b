/**
 * Searches for the text whose search by words costs most. From the kinds of texts that are known to be expensive, it climbs:
 * it changes one word at a time, and keeps what costs more processor time.
 */
import { readIndexFile } from '../../src/catalogs/index/index-file.ts';
import type { OtherNames } from '../../src/foods/catalog.ts';
import { readNamePairs } from '../../src/readers/read-foods.ts';
import { FoodIndex } from '../../src/search/food-index.ts';
import { OtherNameTable } from '../../src/search/words/other-names.ts';
import { Vocabulary, type VocabularySections } from '../../src/search/words/vocabulary.ts';
import { type Random, seeded } from '../../test/support/random.ts';
import { median } from '../tools/measure.ts';
import { edited } from '../tools/typed-texts.ts';

/** s that each kind of text climbs. */
const SECONDS = 8;
const ROUNDS = 9;
const SEED = 29;

/** Characters of a text: more do not fit into a request. */
const MOST_CHARACTERS = 16_000;

/** Words at the beginning of a text that are changed; all later ones hardly cost anything. */
const CHANGED = 32;

const OTHER_NAMES = 'data/other-names.csv';
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const LONG = 30;
const COMMON = 300;
const OF_A_KIND = 2000;

export interface WorstFigures {
  readonly foods: number;
  /** The worst text of each kind, and the median of its ms of processor time. */
  readonly worst: readonly { readonly kind: string; readonly text: string; readonly ms: number }[];
}

/** Words to make texts of. */
type Kinds = Readonly<Record<string, readonly string[]>>;

export async function measureWorstWords(indexFile: string): Promise<WorstFigures> {
  const { index: sections } = await readIndexFile(indexFile);
  const index = new FoodIndex(sections);
  const pairs = await readNamePairs(OTHER_NAMES);
  const names = new OtherNameTable(pairs);
  const random = seeded(SEED);
  const kinds = kindsOf(sections.vocabulary, random);
  const all = { ...kinds, 'other names': pairs.flatMap(({ name, other }) => [name, other]) };
  const worst = Object.keys(all).map((kind) => {
    const text = climb(all, kind, random, (each) => costOf(index, each, names));
    const rounds = Array.from({ length: ROUNDS }, () => costOf(index, text, names));
    return { kind, text, ms: median(rounds) };
  });
  return { foods: index.size, worst };
}

/** ms of processor time. */
function costOf(index: FoodIndex, text: string, names: OtherNames): number {
  const before = process.cpuUsage();
  index.searchWords(text, names);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the most expensive text that it finds. */
function climb(kinds: Kinds, kind: string, random: Random, cost: (text: string) => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const pool = kinds[kind]!;
  let best = pool.join(' ').slice(0, MOST_CHARACTERS).split(' ');
  let most = cost(best.join(' '));
  for (const end = performance.now() + 1000 * SECONDS; performance.now() < end; ) {
    const added = random(4) === 0 ? [] : [pick(random(2) === 0 ? pool : pick(Object.values(kinds)))];
    const at = random(Math.min(CHANGED, best.length));
    const changed = best.toSpliced(at, random(3) === 0 ? 0 : 1, ...added);
    const text = changed.join(' ');
    if (changed.length === 0 || text.length > MOST_CHARACTERS || cost(text) <= most) continue;
    // Once may be chance.
    const again = Math.min(cost(text), cost(text));
    if (again > most) [best, most] = [changed, again];
  }
  return best.join(' ');
}

/** The kinds of words that are known to be expensive. */
function kindsOf(sections: VocabularySections, random: Random): Kinds {
  const vocabulary = new Vocabulary(sections);
  const foodsOf = (word: number): number => vocabulary.foodsOf({ from: word, to: word + 1 });
  const words = Array.from({ length: vocabulary.size }, (_, word) => word);
  const common = words.toSorted((a, b) => foodsOf(b) - foodsOf(a)).map((word) => vocabulary.textOf(word));
  const some = <Item>(make: () => Item): Item[] => Array.from({ length: OF_A_KIND }, make);
  const letter = (): string => LETTERS[random(LETTERS.length)]!;
  const any = (): string => common[random(common.length)]!;
  const spoilt = (word: string): string => edited(word, random);
  return {
    letters: [...LETTERS, ...'0123456789'],
    'pairs of letters': some(() => letter() + letter()),
    'common words': common.slice(0, COMMON),
    'misspelt words': some(() => spoilt(spoilt(any()))),
    'misspelt common words': common.slice(0, COMMON).map(spoilt),
    'unfinished words': some(() => any().slice(0, 1 + random(3))),
    'long unknown words': some(() => Array.from({ length: LONG }, letter).join('')),
    'one letter many times': some(() => letter().repeat(4 + random(LONG)) + letter()),
  };
}
