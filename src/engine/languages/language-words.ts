/** The words of the foods in a language: kept as bytes, or found again in the texts, which takes three times as long. */
import { wordTextsOf } from '../order/food-name.ts';
import { scriptFolded, spellingsOf } from '../order/script-runs.ts';
import { fromDistances, packed, toDistances, unpacked } from '../store/packed.ts';
import { wordsOf } from '../words/asked-words.ts';
import { type CountedWords, sortWords } from '../words/sorted-words.ts';
import type { VocabularySections } from '../words/vocabulary.ts';
import { longSpellings, shortSpellings } from './short-spellings.ts';

/** What a copy for a page lacks: a third of a language, or half of one whose script has no blanks. */
export const WORDS = ['spellings', 'postingStarts', 'postingFoods'] as const;

type Kept<Name extends string> = Readonly<Record<Name, Uint8Array>>;
type KeptWords = Kept<(typeof WORDS)[number]>;
type KeptFacts = Kept<'postingPlaces' | 'staticScores' | 'nameWords'>;

export function keptWords(vocabulary: VocabularySections): KeptWords {
  const foods = Uint32Array.from(vocabulary.foods);
  forEachWord({ ...vocabulary, foods }, toDistances);
  return {
    spellings: shortSpellings(vocabulary),
    postingStarts: packed(toDistances(vocabulary.postingStarts.slice())),
    postingFoods: packed(foods),
  };
}

/** @param folded descriptions; @param names the other names of each food */
export function vocabularyOf(
  kept: KeptFacts & Partial<KeptWords>,
  folded: readonly string[],
  names: readonly (readonly string[])[],
): VocabularySections {
  // Views would keep all bytes of the part.
  const [places, staticScores, nameWords] = [kept.postingPlaces, kept.staticScores, kept.nameWords].map(
    (bytes) => bytes.slice(),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const words = hasWords(kept) ? wordsIn(kept) : wordsFound(folded, names);
  const { postingStarts } = words;
  const bestPlaces = new Uint8Array(postingStarts.length - 1);
  for (let word = 0; word < bestPlaces.length; word++)
    for (let i = postingStarts[word]!; i < postingStarts[word + 1]!; i++)
      bestPlaces[word] = Math.max(bestPlaces[word]!, places[i]!);
  return { ...words, places, bestPlaces, staticScores, nameWords };
}

const hasWords = (kept: Partial<KeptWords>): kept is KeptWords => kept.spellings !== undefined;

function wordsIn(kept: KeptWords) {
  const postingStarts = fromDistances(unpacked(kept.postingStarts));
  const foods = unpacked(kept.postingFoods);
  forEachWord({ postingStarts, foods }, fromDistances);
  return { ...longSpellings(kept.spellings), postingStarts, foods: new Int32Array(foods.buffer) };
}

/** The foods of each word, of all words in one array. */
function forEachWord(
  { postingStarts, foods }: { readonly postingStarts: Uint32Array; readonly foods: Uint32Array },
  visit: (foods: Uint32Array) => void,
): void {
  for (let word = 0; word < postingStarts.length - 1; word++)
    visit(foods.subarray(postingStarts[word], postingStarts[word + 1]));
}

function wordsFound(folded: readonly string[], names: readonly (readonly string[])[]) {
  const words = new FoundWords();
  for (const [food, description] of folded.entries()) {
    words.food = food;
    for (const word of [...wordTextsOf(description).map(scriptFolded), ...names[food]!.flatMap(wordsOf)])
      words.addAll(spellingsOf(word));
  }
  const { rankOf, ...sorted } = sortWords([words.counted]);
  return { ...sorted, foods: words.foodsBy(rankOf[0]!, sorted.postingStarts) };
}

/** The distinct words of each food, numbered as they come. */
class FoundWords {
  readonly #numbers = new Map<string, number>();
  /** By the number of a word: how many foods have it, and the last of them. */
  readonly #counts: number[] = [];
  readonly #last: number[] = [];
  /** Of each word of each food its number, and the food. */
  readonly #words: number[] = [];
  readonly #foods: number[] = [];
  /** Whose words are added. */
  food = 0;

  addAll(words: readonly string[]): void {
    for (const word of words) {
      let number = this.#numbers.get(word);
      if (number === undefined) {
        number = this.#counts.push(0) - 1;
        this.#numbers.set(word, number);
      }
      if (this.#last[number] === this.food) continue;
      this.#last[number] = this.food;
      this.#counts[number]!++;
      this.#words.push(number);
      this.#foods.push(this.food);
    }
  }

  get counted(): CountedWords {
    return { texts: [...this.#numbers.keys()], foods: Uint32Array.from(this.#counts) };
  }

  /** The foods of each word, with the words by their ranks. */
  foodsBy(ranks: Uint32Array, postingStarts: Uint32Array): Int32Array {
    const next = postingStarts.slice();
    const foods = new Int32Array(this.#foods.length);
    for (const [i, word] of this.#words.entries()) foods[next[ranks[word]!]!++] = this.#foods[i]!;
    return foods;
  }
}
