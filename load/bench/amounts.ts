/** Times what reading and weighing amounts costs beside the searches, and the texts that cost most to read. */
import { readFileSync } from 'node:fs';
import { readText, readWords, weighFoods } from '#amounts';
import { openCatalog, readOtherNames } from '#service';
import { SHARED } from '../../test/support/shared.ts';
import { median, processorTime, spreadOf } from '../tools/measure.ts';

const ROUNDS = 7;
const BYTES = 16_384;

/** What made texts repeat: amounts, sums, ranges, lists, words of many meanings; the last ones a random search found. */
const PIECES =
  '1 |1 (1 |1 2 |1-|1/2 |½|1 oz |1, |1. |1\n|a\n|a, |a b |(|2 x |1 egg + |plus 1 |half a |a cup of |large |200 g de riz, |大さじ|l1|2and|q,1a|9ω&|9ω&c2a,|~2-&2-2#an2-d&2'.split(
    '|',
  );

/** Times in ms, of lines of recipes and the starter foods. */
export async function measureAmounts() {
  const words = readWords(readFileSync('data/amounts.txt', 'utf8'));
  const recipes = JSON.parse(readFileSync(`${SHARED}/relevance/recipes-dev.json`, 'utf8'));
  const lines: readonly string[] = recipes.flatMap((recipe: { lines: string[] }) => recipe.lines);
  const asked = await answersOf();
  const weigh = async (line: string): Promise<number> => {
    const start = performance.now();
    await weighFoods(line, words, asked);
    return performance.now() - start;
  };
  // Answers all searches, and lets V8 compile the code.
  for (const line of lines) await weigh(line);
  const rounds: number[][] = lines.map(() => []);
  for (let i = 0; i < ROUNDS; i++)
    for (const [at, line] of lines.entries()) rounds[at]?.push(await weigh(line));
  const worstTexts = PIECES.map((piece) => {
    const text = piece.repeat(Math.ceil(BYTES / Buffer.byteLength(piece)));
    const each = Array.from({ length: ROUNDS }, () => processorTime(() => readText(text, words)));
    return { piece, ms: median(each) };
  }).toSorted((a, b) => b.ms - a.ms);
  return { lines: lines.length, ...spreadOf(rounds.map(median)), worstText: worstTexts[0]! };
}

/** The answers of the starter foods, each computed once. */
async function answersOf() {
  const catalog = await openCatalog(undefined);
  const names = await readOtherNames('data/other-names.csv');
  const once = <Asked extends readonly string[], Answer>(ask: (...asked: Asked) => Answer) => {
    const known = new Map<string, Answer>();
    return (...asked: Asked): Answer => {
      const answer = known.get(asked.join()) ?? ask(...asked);
      known.set(asked.join(), answer);
      return answer;
    };
  };
  return {
    searchWords: once((text: string) => catalog.searchWords(text, names)),
    lookUp: once((what: 'portions' | 'names', description: string) => catalog.lookUp(what, description)),
  };
}
