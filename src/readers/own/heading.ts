/** Reads one heading: what it names, in which unit, and for which amount of food. */

export type Unit = 'kcal' | 'kJ' | 'g' | 'mg' | 'µg';

export interface Heading {
  /** The words that name the column, sorted: without units, case, accents and the plural. */
  readonly key: string;
  readonly unit: Unit | undefined;
  /** What the figures are for: `100 g`, `serving`, `30 g`; undefined if the heading does not say. */
  readonly basis: string | undefined;
  /** The language that the heading ends with: `de` in `name_de`. */
  readonly language: string | undefined;
}

export interface Ratio {
  readonly times: bigint;
  readonly by: bigint;
}

/** How many of the smallest unit of the same quantity each has. */
const SIZES: Readonly<Record<Unit, bigint>> = { kcal: 4184n, kJ: 1000n, g: 1_000_000n, mg: 1000n, µg: 1n };
const isEnergy = (unit: Unit): boolean => unit === 'kcal' || unit === 'kJ';

/** What converts a figure from one unit to another; undefined if they are not of the same quantity. */
export const conversion = (from: Unit, to: Unit): Ratio | undefined =>
  isEnergy(from) === isEnergy(to) ? { times: SIZES[from], by: SIZES[to] } : undefined;

/** The basis of headings that say "per 100 g" or "per 100 ml". */
export const PER_100 = '100 g';

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', μ: 'u' };

/** Lower case without accents and without the number that some tables put first; separates words of `camelCase` and `snake_case`, and percent signs. */
function plain(text: string): string {
  return text
    .replace(/^\d{3,5} (?=\p{Lu})/u, '')
    .normalize('NFKD')
    .replace(/\p{M}|[’']/gu, '')
    .replace(/[kK](?:[jJ]|[cC][aA][lL][sS]?)(?!\p{Ll})/gu, (unit) => ` ${unit.toLowerCase()} `)
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\d)|_/gu, ' ')
    .toLowerCase()
    .replace(/[ßœæøłμ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll('%', ' % ');
}

const singular = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word);

const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  kcal: 'kcal cal kilocalorie kilokalorie kilokalorien kilokalorier kilocaloria kilocaloría kcals ккал 千卡 大卡 キロカロリー',
  kJ: 'kj kilojoule кдж 千焦',
  g: 'g gr grs grm gm gram gramm gramme gramo grama grammi г гр грамм 克 公克 グラム',
  mg: 'mg мг 毫克',
  µg: 'ug mcg мкг 微克',
};
const UNITS = new Map(
  Object.entries(UNIT_WORDS).flatMap(([unit, words]) =>
    words.split(' ').map((word) => [plain(word).trim(), unit as Unit]),
  ),
);

/** Words that name nothing: "of which saturates" are the saturates, `nf_protein` is protein. */
const NOISE = new Set(
  'a al an av con content cui da dal data davon de del den der des di die do dont du e et in la las le les los nf of on pro teneur the value van von waarvan which'.split(
    ' ',
  ),
);

/** `name_de`, `Food (English)`: a language in which a table also writes. */
const LANGUAGE = /[ (](english|e[nst]|d[ae]|fr|it|pt|nl|sv|n[bn]|fi|pl|cs|ru|zh|ja|ko|tr|el|hu|ro)\)?\s*$/;

// `\b` knows only the letters of English.
const START = '(?<![\\p{sc=Latin}\\p{sc=Cyrillic}])';
const END = '(?![\\p{sc=Latin}\\p{sc=Cyrillic}])';
const PER_WORDS = 'per|pro|je|par|por|pr|cada|each|every|на';
const PER = `(?:${START}(?:${PER_WORDS}|pour|auf|op|for|in|a|na|w|в)\\s+|/\\s*|每\\s*)`;
const GRAMS = '(?:g|gr|gram\\p{L}*|ml|millilit\\p{L}*|гр?|грамм\\p{L}*|мл|公?克|毫升)';
const OF_FOOD =
  '(?:\\s*(?:(?:of\\s+)?(?:food|fd|product|produkt|edible\\s+(?:portion|part))\\b|あたり|当たり|당|可食部分?))?'.normalize(
    'NFKD',
  );
const HUNDRED = `${PER}100(?:\\s*${GRAMS}${END}|(?![\\p{L}\\d]))${OF_FOOD}|(?<![\\d.,])100\\s*${GRAMS}${END}${OF_FOOD}`;
const SERVINGS =
  '(?:(?:serving|serve|serv|svg|portion|porcion|porcao|porzione|portie|porsjon|portsjon|annos|racion|ration|porcja|porcji)s?|порци[яию]|份|1?食|一?人前)';
const AMOUNTS = `(\\d+(?:[.,]\\d+)?\\s*(?:${GRAMS}|oz|ounces?|kg|lb)${END}|(?:cup|tbsp|tsp|piece|unit|item|stuck|pack|package|container|slice|oz|ounce|lb|pound|kg|day|meal|bottle|can|scoop|unidad|pezzo|recipe|batch)s?${END})`;

/** What figures are for: a pattern, and the name of the basis unless the pattern finds it. */
type Bases = readonly (readonly [pattern: RegExp, name: string | undefined])[];
const BASES: Bases = [
  [new RegExp(HUNDRED, 'u'), PER_100],
  [new RegExp(`${PER}?${START}${SERVINGS}${END}`, 'u'), 'serving'],
  [new RegExp(`${PER}${AMOUNTS}`, 'u'), undefined],
  // Of a weight, `/ g` is the unit.
  [new RegExp(`(?<=k?cal\\s*|kj\\s*)${PER}g(?:r|ram\\p{L}*)?${END}`, 'u'), '1 g'],
];
/** In a title, words such as "serving" and "in" may mean anything. */
const PER_IN_TITLES = `(?:${START}(?:${PER_WORDS})\\s+(?:\\d\\s+)?|每\\s*)`;
const TITLES: Bases = [
  [new RegExp(HUNDRED, 'u'), PER_100],
  [new RegExp(`${PER_IN_TITLES}${AMOUNTS}`, 'u'), undefined],
  [new RegExp(`${PER_IN_TITLES}${SERVINGS}${END}`, 'u'), 'serving'],
];

/** What the figures below a title, or in a sheet of this name, are for; undefined if it does not say. */
export const basisOfTitle = (text: string): string | undefined => withoutBases(plain(text), TITLES).basis;

function withoutBases(text: string, bases: Bases): { rest: string; basis: string | undefined } {
  let rest = text;
  let basis: string | undefined;
  for (const [pattern, name] of bases) {
    const found = pattern.exec(rest);
    if (found === null) continue;
    basis ??= name ?? found[1]?.replace(/(\d)\s*(?=\p{L})/u, '$1 ') ?? '';
    rest = rest.replace(pattern, ' ');
  }
  return { rest, basis };
}

export function parseHeading(text: string): Heading {
  const { rest, basis } = withoutBases(plain(text), BASES);
  const words = rest.split(/[^\p{L}\p{N}%]+/u).map(singular);
  const units = new Set(words.flatMap((word) => UNITS.get(word) ?? []));
  // A column with two units has two figures in a cell, or figures in an unknown one of them.
  const isUnit = (word: string): boolean => units.size === 1 && UNITS.has(word);
  const names = words.filter((word) => word !== '' && !isUnit(word) && !NOISE.has(word));
  const [unit] = units;
  const language = LANGUAGE.exec(rest)?.[1];
  return { key: names.sort().join(' '), unit, basis, language };
}
