/** Fills in the corpus of an index, and sorts its suffixes: by tokens, if these are few enough. */
import type { BuildPool } from './building/build-thread.ts';
import type { ScoredBatch } from './building/scored-batch.ts';
import { groupPlaces, type SuffixSections, type Tokens } from './building/spread-suffixes.ts';
import { batchOf, indexInBatch } from './building/static-order.ts';
import type { SortedWords } from './building/vocabulary.ts';
import type { IndexSections, IndexSink } from './sections.ts';
import { bucketsOf, type SortedSuffixes } from './suffixes/suffix-range.ts';
import { type TokenDictionary, tokenDictionary } from './suffixes/token-dictionary.ts';
import { KIND_ROW, NO_WORD, TokenKinds } from './suffixes/token-kinds.ts';

/** Tokens are sorted if the distinct ones have at most this share of the corpus. */
const DICTIONARY_SHARE = 0.25;

interface KnownTokens extends Tokens {
  readonly rows: Int32Array;
}

/** The numbers [0, size) in consecutive parts, one for each thread. */
const partsOf = (size: number, { threads }: BuildPool): { from: number; to: number }[] =>
  Array.from({ length: threads }, (_, part) => ({
    from: Math.floor((part * size) / threads),
    to: Math.floor(((part + 1) * size) / threads),
  }));

export async function gatherTexts(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  corpus: Uint8Array,
  pool: BuildPool,
): Promise<KnownTokens> {
  let [text, token] = [0, 0];
  const parts = partsOf(order.length, pool).map(({ from, to }) => {
    const part = { from, to, textStart: text, firstToken: token };
    for (let food = from; food < to; food++) {
      const { firstSymbols, tokens } = scored[batchOf(order[food]!)]!.texts!;
      const i = indexInBatch(order[food]!);
      text += firstSymbols[i + 1]! - firstSymbols[i]!;
      token += tokens[i]!;
    }
    return part;
  });
  const starts = new Uint32Array(pool.allocate(4 * token));
  const kinds = new Int32Array(pool.allocate(4 * token));
  const scores = new Uint8Array(pool.allocate(3 * token));
  const rows = await pool.run(
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
  /** Resolves when the sink no longer keeps the other arrays. */
  readonly written: Promise<void>;
}

/** Sorts the tokens, and fills in the index but for its suffixes. */
export async function sortTokens(
  index: IndexSections,
  tokens: KnownTokens,
  { rankOf }: SortedWords,
  pool: BuildPool,
  sink: IndexSink,
): Promise<OpenSuffixes> {
  const { corpus, blocks, words, inner, segmentEndScores, wordEndScores, insideScores } = index;
  const { kinds } = tokens;
  const { postingStarts, foods, places, bestPlaces } = index.vocabulary;
  const dictionary = tokenDictionary(corpus, tokens.rows, DICTIONARY_SHARE * corpus.length);
  const order = new Int32Array(pool.allocate(dictionary === undefined ? 0 : kinds.byteLength));
  await Promise.all([
    pool.run('sortTokens', dictionary === undefined ? [] : [{ kinds, dictionary, sorted: order }]),
    pool.run('fillPostings', [{ postingStarts, rankOf, foods, places, bestPlaces }]),
    pool.run('fillBlocks', [{ corpus, blocks }]),
  ]);
  await pool.runInEach('take', { scored: [], order: new Uint32Array(0) });
  const { entryStarts, firstRepeat, nameLengths, popularities, portions, vocabulary } = index;
  const others = [...Object.values(vocabulary), ...Object.values(portions), nameLengths, popularities];
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
    // The corpus is still needed; the others can be released as soon as they are written.
    written: sink.finished([...others, blocks, entryStarts, firstRepeat, corpus]),
  };
}

export async function fillSuffixes(open: OpenSuffixes, pool: BuildPool, sink: IndexSink): Promise<void> {
  const { corpus, words, inner, sections, tokens, sorted, written } = open;
  if (sorted === undefined) {
    await written;
    pool.release();
    await pool.run('split', [{ corpus, ...wordsOf(tokens, words.suffixes.length), sections }]);
  } else {
    const { dictionary, order } = sorted;
    const parts = partsOf(order.length, pool).map((part) => ({ sorted: order, ...part }));
    const { starts, kinds, scores } = tokens;
    const size = dictionary.words.length;
    const counts = await pool.run(
      'countKinds',
      parts.map((part) => ({ part, kinds, size })),
    );
    const places = groupPlaces(dictionary, counts);
    await written;
    pool.release();
    await pool.run(
      'spread',
      parts.map((part, i) => ({
        part,
        tokens: { starts, kinds, scores },
        dictionary,
        places: places[i]!,
        sections,
      })),
    );
  }
  for (const { suffixes, buckets } of [words, inner]) bucketsOf(corpus, suffixes, buckets);
  sink.finished([...Object.values(sections), words.buckets, inner.buckets]);
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
