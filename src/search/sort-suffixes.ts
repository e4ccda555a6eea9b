/** Fills in the corpus of an index, and sorts its suffixes by tokens: few are distinct, so they are sorted first. */
import type { BuildPool } from './building/build-thread.ts';
import type { ScoredBatch } from './building/scored-batch.ts';
import { groupPlaces, type SuffixSections, type Tokens } from './building/spread-suffixes.ts';
import { batchOf, indexInBatch } from './building/static-order.ts';
import type { SortedWords } from './building/vocabulary.ts';
import type { IndexSections, IndexSink } from './sections.ts';
import { bucketsOf, type SortedSuffixes } from './suffixes/suffix-range.ts';
import { type TokenDictionary, tokenDictionary } from './suffixes/token-dictionary.ts';
import { TokenKinds } from './suffixes/token-kinds.ts';

interface KnownTokens extends Tokens {
  readonly rows: Int32Array;
}

/** The numbers [0, size) in so many consecutive parts. */
const partsOf = (size: number, parts: number): { from: number; to: number }[] =>
  Array.from({ length: parts }, (_, part) => ({
    from: Math.floor((part * size) / parts),
    to: Math.floor(((part + 1) * size) / parts),
  }));

export async function gatherTexts(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  corpus: Uint8Array,
  pool: BuildPool,
): Promise<KnownTokens> {
  let [text, token] = [0, 0];
  const parts = partsOf(order.length, pool.threads).map(({ from, to }) => {
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
  readonly tokens: Tokens;
  readonly dictionary: TokenDictionary;
  /** The tokens in the order of the suffixes that begin with them. */
  readonly sorted: Int32Array;
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
  const dictionary = tokenDictionary(corpus, tokens.rows, pool.allocate);
  const sorted = new Int32Array(pool.allocate(kinds.byteLength));
  await Promise.all([
    pool.run('sortTokens', [{ kinds, dictionary, sorted }]),
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
    dictionary,
    sorted,
    // The corpus is still needed; the others can be released as soon as they are written.
    written: sink.finished([...others, blocks, entryStarts, firstRepeat, corpus]),
  };
}

export async function fillSuffixes(open: OpenSuffixes, pool: BuildPool, sink: IndexSink): Promise<void> {
  const { corpus, words, inner, sections, tokens, dictionary, sorted, written } = open;
  // Each part takes 8 bytes for each group of ends: texts without blanks have nearly as many of these as symbols.
  const most = Math.ceil(corpus.length / Math.max(1, dictionary.groups));
  const parts = partsOf(sorted.length, Math.min(pool.threads, most)).map((part) => ({ sorted, ...part }));
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
  for (const { suffixes, buckets } of [words, inner]) bucketsOf(corpus, suffixes, buckets);
  sink.finished([...Object.values(sections), words.buckets, inner.buckets]);
}
