/** The foods of an index as rows of a table, with all that is needed to rank them for any text. */

import { utf8 } from '#core';
import { BYTE_OF, END, Entries, type IndexSections, RankedBits } from '#engine';
import { REPEAT_MARK } from './rank-matches.ts';

const SHORTEST = 8;

/**
 * In the order of their numbers, from 0 on. `scores` has for each word its position in the folded description (UTF-16 code
 * units, base 36), and the bytes of its scores for a match that ends a segment, ends a word, or ends inside one (hexadecimal):
 * "0:7b645a 4:50403c". REPEAT_MARK precedes them if an earlier food has the name.
 */
export function* foodRows(sections: IndexSections) {
  const { corpus, entries, entryStarts, firstRepeat, words } = sections;
  const { segmentEndScores, wordEndScores, insideScores } = sections;
  const all = new Entries(entries, entryStarts);
  const isWord = new RankedBits(corpus.length, words.suffixes);
  const entryOf = new Int32Array(words.suffixes.length);
  for (const [entry, position] of words.suffixes.entries()) entryOf[isWord.rank(position)] = entry;
  let word = 0;
  for (let food = 0, start = 0; food < entryStarts.length - 1; food++) {
    const end = corpus.indexOf(END, start);
    const folded = corpus.subarray(start, end).map((symbol) => BYTE_OF[symbol]!);
    const text = Buffer.from(folded.buffer);
    let scores = food < firstRepeat[0]! ? '' : REPEAT_MARK;
    let units = 0;
    let known = start;
    for (let position = start; position < end; position++) {
      if (isWord.has(position) === 0) continue;
      units += text.toString('utf8', known - start, position - start).length;
      known = position;
      const entry = entryOf[word++]!;
      const space = scores.length < SHORTEST ? '' : ' ';
      const three = [segmentEndScores[entry]!, wordEndScores[entry]!, insideScores[entry]!];
      scores += `${space}${units.toString(36)}:${Buffer.from(three).toString('hex')}`;
    }
    yield { folded, scores, entry: utf8(all.json(food)) };
    start = end + 1;
  }
}
