/**
 * Fills in the corpus of an index, and sorts its suffixes: by tokens, if these are few enough.
 */
import { type Building, type Crew, inEach, run } from './build-step.ts';
import type { Job } from './building/build-thread.ts';
import type { ScoredBatch } from './building/scored-batch.ts';
import { placesOf, type SuffixSections, type Tokens } from './building/spread-suffixes.ts';
import { batchOf, indexOf } from './building/static-order.ts';
import type { SortedWords } from './building/vocabulary.ts';
import type { IndexSections } from './sections.ts';
import { bucketsOf, type SortedSuffixes } from './suffixes/suffix-range.ts';
import { type TokenDictionary, tokenDictionary } from './suffixes/token-dictionary.ts';
import { KIND_ROW, NO_WORD, TokenKinds } from './suffixes/token-kinds.ts';

/** Tokens are sorted if the distinct ones have at most this share of the corpus. */
const DICTIONARY_SHARE = 0.25;

/** All tokens of the corpus, and one of each kind. */
interface KnownTokens extends Tokens {
  /** As in `TokenKinds`. */
  readonly rows: Int32Array;
}

/** Fills in the corpus. */
export function* gatherTexts(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  corpus: Uint8Array,
  { threads, allocate }: Crew,
): Building<KnownTokens> {
  const parts = [];
  let [text, token] = [0, 0];
  for (let part = 0; part < threads; part++) {
    const from = Math.floor((part * order.length) / threads);
    const to = Math.floor(((part + 1) * order.length) / threads);
    parts.push({ from, to, textStart: text, firstToken: token });
    for (let food = from; food < to; food++) {
      const { firstSymbols, tokens } = scored[batchOf(order[food]!)]!;
      const i = indexOf(order[food]!);
      text += firstSymbols[i + 1]! - firstSymbols[i]!;
      token += tokens[i]!;
    }
  }
  const [starts, kinds] = [new Uint32Array(allocate(4 * token)), new Int32Array(allocate(4 * token))];
  const scores = new Uint8Array(allocate(3 * token));
  const rows = yield* run(
    'gatherTexts',
    parts.map(({ firstToken, ...part }) => ({
      ...part,
      corpus,
      tokens: {
        starts: starts.subarray(firstToken),
        kinds: kinds.subarray(firstToken),
        scores: scores.subarray(3 * firstToken),
      },
    })),
  );
  const all = new TokenKinds(corpus);
  for (const [part, { firstToken }] of parts.entries()) {
    const numbers = all.addAll(rows[part]!);
    const end = parts[part + 1]?.firstToken ?? kinds.length;
    for (let i = firstToken; i < end; i++) kinds[i] = numbers[kinds[i]!]!;
  }
  return { starts, kinds, scores, rows: all.rows };
}

/** An index without its suffixes, and what is needed to fill them in. */
export interface OpenSuffixes {
  readonly corpus: Uint8Array;
  readonly words: SortedSuffixes;
  readonly inner: SortedSuffixes;
  readonly sections: SuffixSections;
  readonly tokens: KnownTokens;
  /** The dictionary and the order of the tokens, if these could be sorted. */
  readonly sorted: { readonly dictionary: TokenDictionary; readonly order: Int32Array } | undefined;
}

/** Sorts the tokens, and fills in the index but for its suffixes. */
export function* sortTokens(
  index: IndexSections,
  tokens: KnownTokens,
  { rankOf }: SortedWords,
  { allocate }: Crew,
): Building<OpenSuffixes> {
  const { corpus, blocks, words, inner, segmentEndScores, wordEndScores, insideScores } = index;
  const { postingStarts, foods, places, bestPlaces } = index.vocabulary;
  const dictionary = tokenDictionary(corpus, tokens.rows, DICTIONARY_SHARE * corpus.length);
  const order = new Int32Array(allocate(dictionary === undefined ? 0 : tokens.kinds.byteLength));
  const jobs: Job[] = [
    { step: 'fillPostings', input: { postingStarts, rankOf, foods, places, bestPlaces } },
    { step: 'fillBlocks', input: { corpus, blocks } },
  ];
  if (dictionary !== undefined)
    jobs.unshift({ step: 'sortTokens', input: { kinds: tokens.kinds, dictionary, sorted: order } });
  yield { jobs };
  yield* inEach('take', { batches: [], scored: [], order: new Uint32Array(0) });
  const { entryStarts, firstRepeat, nameLengths, popularities, portions, vocabulary } = index;
  const others = [...Object.values(vocabulary), ...Object.values(portions), nameLengths, popularities];
  // The corpus is still needed; the others can be released as soon as they are written.
  yield { finished: [...others, blocks, entryStarts, firstRepeat, corpus] };
  return {
    corpus,
    words,
    inner,
    sections: {
      wordSuffixes: words.suffixes,
      segmentEndScores,
      wordEndScores,
      insideScores,
      innerSuffixes: inner.suffixes,
    },
    tokens,
    sorted: dictionary && { dictionary, order },
  };
}

export function* fillSuffixes(open: OpenSuffixes, { threads }: Crew): Building<void> {
  const { corpus, words, inner, sections, tokens, sorted } = open;
  yield { phase: 'filling the index' };
  if (sorted === undefined) {
    yield { release: true };
    const input = { corpus, ...wordsOf(tokens, words.suffixes.length), sections };
    yield* run('split', [input]);
  } else yield* spread(sorted.order, tokens, sorted.dictionary, sections, threads);
  for (const { suffixes, buckets } of [words, inner]) bucketsOf(corpus, suffixes, buckets);
  yield { finished: [...Object.values(sections), words.buckets, inner.buckets] };
}

function* spread(
  sorted: Int32Array,
  { starts, kinds, scores }: Tokens,
  dictionary: TokenDictionary,
  sections: SuffixSections,
  threads: number,
): Building<void> {
  const parts = Array.from({ length: threads }, (_, part) => ({
    sorted,
    from: Math.floor((part * sorted.length) / threads),
    to: Math.floor(((part + 1) * sorted.length) / threads),
  }));
  const size = dictionary.words.length;
  const counts = yield* run(
    'countKinds',
    parts.map((part) => ({ part, kinds, size })),
  );
  const places = placesOf(dictionary, counts);
  // By now the finished arrays are written.
  yield { release: true };
  const tokens = { starts, kinds, scores };
  yield* run(
    'spread',
    parts.map((part, i) => ({ part, tokens, dictionary, places: places[i]!, sections })),
  );
}

/** The positions of the words, ascending, and their scores. */
function wordsOf({ starts, kinds, scores, rows }: KnownTokens, count: number) {
  const wordPositions = new Uint32Array(count);
  const wordScores = new Uint8Array(3 * count);
  let words = 0;
  for (let token = 0; token < starts.length; token++) {
    const word = rows[KIND_ROW * kinds[token]! + 2]!;
    if (word === NO_WORD) continue;
    wordScores.set(scores.subarray(3 * token, 3 * token + 3), 3 * words);
    wordPositions[words++] = starts[token]! + word;
  }
  return { wordPositions, scores: wordScores };
}
