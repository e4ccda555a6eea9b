/**
 * Reads one heading: what it names, in which unit, and for which amount of food.
 */

export type Unit = 'kcal' | 'kJ' | 'g' | 'mg' | 'µg';

export interface Heading {
  /** The words that name the column, sorted: without units, case, accents and the plural. */
  readonly key: string;
  readonly unit: Unit | undefined;
  /** What the figures are for: `100 g`, `serving`, `30 g`; undefined if the heading does not say. */
  readonly basis: string | undefined;
}

/** The basis of headings that say "per 100 g" or "per 100 ml". */
export const PER_100 = '100 g';

/** The words for each unit, and the unit of each word. */
const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  kcal: 'kcal cal kilocalorie kilokalorie kilokalorien',
  kJ: 'kj kilojoule',
  g: 'g gr gram gramm gramme gramo grammi',
  mg: 'mg',
  µg: 'ug mcg',
};
const UNITS = new Map(
  Object.entries(UNIT_WORDS).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit as Unit])),
);

/** Words that name nothing: "of which saturates" are the saturates, `nf_protein` is protein. */
const NOISE = new Set(
  'a al an av con content cui da dal data davon de del den der des di die do dont du e et in la las le les los nf of on pro teneur the value van von waarvan which'.split(
    ' ',
  ),
);

const PER = '(?:\\b(?:per|pro|je|par|pour|por|auf|op|pr|for|in|a|cada)\\s+|/\\s*)';
const GRAMS = '(?:g|gr|gram\\w*|ml|millilit\\w*)';
const OF_FOOD = '(?:\\s+(?:of\\s+)?(?:food|fd|product|produkt|edible\\s+(?:portion|part))\\b)?';
const HUNDRED = new RegExp(`${PER}100(?:\\s*${GRAMS}\\b|\\b)${OF_FOOD}|\\b100\\s*${GRAMS}\\b${OF_FOOD}`);
const SERVING = new RegExp(
  `${PER}?\\b(?:serving|serve|portion|porcion|porcao|porzione|portie|porsjon|portsjon|annos)s?\\b`,
);
const AMOUNT = new RegExp(
  `${PER}(\\d+(?:[.,]\\d+)?\\s*(?:${GRAMS}|oz|ounces?|kg|lb)\\b|(?:cup|tbsp|tsp|piece|unit|item|stuck|pack|package|container|slice|oz|ounce|lb|pound|kg|day|meal|bottle|can|scoop|unidad|pezzo|piece)\\b)`,
);

export function parseHeading(text: string): Heading {
  let rest = plain(text);
  let basis: string | undefined;
  for (const [pattern, name] of [
    [HUNDRED, PER_100],
    [SERVING, 'serving'],
    [AMOUNT, undefined],
  ] as const) {
    const found = pattern.exec(rest);
    if (found === null) continue;
    basis ??= name ?? found[1]?.replace(/(\d)\s*(?=[a-z])/, '$1 ') ?? '';
    rest = rest.replace(pattern, ' ');
  }
  const words = rest.split(/[^\p{L}\p{N}%]+/u).map(singular);
  const units = new Set(words.flatMap((word) => UNITS.get(word) ?? []));
  // A column with two units has two figures in a cell, or figures in an unknown one of them.
  const isUnit = (word: string): boolean => units.size === 1 && UNITS.has(word);
  const names = words.filter((word) => word !== '' && !isUnit(word) && !NOISE.has(word));
  const [unit] = units;
  return { key: names.sort().join(' '), unit, basis };
}

/** Lower case without accents and without the number that some tables put first; separates words of `camelCase` and `snake_case`, and percent signs. */
function plain(text: string): string {
  return text
    .replace(/^\d{3,5} (?=\p{Lu})/u, '')
    .normalize('NFKD')
    .replace(/\p{M}|[’']/gu, '')
    .replace(/kJ/g, ' kj ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\d)|_/gu, ' ')
    .toLowerCase()
    .replace(/[ßœæøłμ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll('%', ' % ');
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', μ: 'u' };

const singular = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word);
