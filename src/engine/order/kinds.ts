/** The words that distinguish the plain food from its special forms, shelves from foods, and dishes from flavours. */
import { hashOfText, hashWith } from '#core';

/** A part of the folded description; equal parts have equal hashes. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

/** A power of two, so large that the words of a table fill few of these places. */
const PLACES = 8192;

/** Values by words. A word of a name is looked up by its hash, without making a string. */
export class WordTable<Value> {
  /** 1 where the last bits of the hash of a word are. Most words of names are in no table, which shows here sooner than in a map. */
  readonly #mayHave = new Uint8Array(PLACES);
  readonly #entries = new Map<number, { readonly word: string; readonly value: Value }>();

  constructor(entries: Iterable<readonly [word: string, value: Value]>, hashOf = hashOfText) {
    for (const [word, value] of entries) {
      const hash = hashOf(word);
      const known = this.#entries.get(hash)?.word ?? word;
      if (known !== word) throw new Error(`${known} and ${word} have the same hash`);
      this.#entries.set(hash, { word, value });
      this.#mayHave[hash & (PLACES - 1)] = 1;
    }
  }

  /** The value of a word of a folded description. */
  of(folded: string, { start, end, hash }: Span): Value | undefined {
    if (this.#mayHave[hash & (PLACES - 1)] === 0) return undefined;
    const entry = this.#entries.get(hash);
    if (entry === undefined || end - start !== entry.word.length) return undefined;
    return folded.startsWith(entry.word, start) ? entry.value : undefined;
  }
}

/** The hash of a segment before its first word. */
export const NO_WORDS = 0;

const listOf = (text: string): string[] => text.split(',').map((item) => item.trim().replace(/\s+/g, ' '));

const wordTable = (words: string): WordTable<string> =>
  new WordTable(listOf(words).map((word) => [word, word]));

/** A table of segments, whose hash is that of their words. */
const segmentTable = (segments: readonly string[]): WordTable<true> =>
  new WordTable(
    segments.map((segment) => [segment, true]),
    (segment) => segment.split(/[ -]/).reduce((hash, word) => hashWith(hash, hashOfText(word)), NO_WORDS),
  );

/** First segments that name a shelf and not a food: the next segment counts as if it were first. */
export const SHELVES = segmentTable(
  listOf(`
  fish, nuts, seeds, beverages, spices, herbs, crustaceans, mollusks, cereals, cereals ready-to-eat,
  snacks, alcoholic beverage, wine, distilled, beans, squash, summer, winter, salad dressing, candies,
  game meat, variety meats and by-products, cured, melons, fast foods, fast food, restaurant,
  family style, sweeteners, fruit, fruits, vegetables, meat, poultry, dairy, drinks, grains, desserts`),
);

/** First segments that are dishes: what follows is a flavour, so that `vanilla` does not find puddings first. */
export const DISHES = segmentTable(
  listOf(`
  puddings, yogurt, bread, cookies, soup, pie, cake, ice creams, muffins, toppings, gravy, crackers,
  babyfood, infant formula, pancakes, waffles, frostings, toaster pastries, pie fillings, sausage, oil,
  gelatin desserts, rolls, bagels, doughnuts, frozen novelties, formulated bar, fruit juice smoothie,
  coffeecake, sweet rolls, danish pastry, sandwiches, pizza, bologna, frankfurter, luncheon meat`),
);

/** The last word after one of these is an addition: "Macaroni and cheese" is not a cheese. */
export const LINKS = wordTable(`
    and, with, in, from, of, for, on, n, w, de, du, des, d, au, aux, à, la, le, en, et, pour, sans, mit, ohne, für,
    und, con, sin, y, e, di, al`);

/** Articles and prepositions, by which no food is found while another word follows: "de" of "200 g de riz". */
export const PARTICLES: ReadonlySet<string> = new Set(
  listOf(`
  the, of, to, de, du, des, le, la, les, au, aux, à, un, une, del, el, los, las, una, da, do, dos, das, di, della, dello, dei,
  degli, delle, al, alla, il, lo, gli, uno, der, die, den, dem, ein, eine, einen, van, het, een`),
);

/** The food does not have what follows one of these in its segment. */
export const DENIALS = wordTable('no, without, wo');

/** What follows them is added to the food before, not the food itself. */
export const BEGIN_ADDITIONS = wordTable('and, or, with, w, made, prepared');

export interface Kind {
  readonly reason: string;
  readonly points: number;
  readonly where: string;
}

/**
 * Words that distinguish the plain food from its special forms: reason | points in tenths | where | words. A kind
 * counts once; pairs of words take precedence over single ones. "outside": not in brackets, where words explain.
 * "front": only in the segment that names the food. USDA's abbreviations ("Butter, lt, stk, w/ salt" is light) are from the
 * documentation of release 28, appendix A.
 */
const KINDS_TABLE = `
  harmless | 0 | outside | and skin, and fat, and liquid, and liquids, and half, and yolk, with skin,
    with bone, with added, without salt, wo salt, no salt, dry heat, dry roasted, oil roasted, light meat, light whipping,
    low moisture;
  raw | 10 | outside | raw,
    cru, crue, crus, crues,
    roh, rauw, rauwe, crudo, cruda, crudi, crude, crudos, crudas;
  plain form | 10 | outside | plain, pln, regular, reg, generic, composite, comp, nfs, ns, mixed species, all
    varieties, all types, all classes, all areas, all commercial;
  average | 10 | anywhere | average, aliment moyen;
  cooked | 3 | outside | cooked, ckd, boiled, bld, baked, bkd, roasted, rstd,
    cuit, cuite, cuits, cuites,
    gekocht, gekookt, gekookte, cotto, cotta, cotti, cotte, cocido, cocida, cocidos, cocidas;
  fresh or whole | 2 | outside | fresh, frsh, whole, whl, enriched, enr;
  baby food | -60 | anywhere | babyfood, babyfd, baby food, infant, inf, infants, toddler, toddlers;
  regional | -30 | anywhere | native, navajo, hopi, apache, shoshone, indians, alaska;
  for big kitchens | -30 | anywhere | usda, commodity, cmdty, industrial, foodservice, institutional, school;
  imitation | -30 | anywhere | imitation, substitute, substitutes, meatless, vegetarian, analog,
    analogue, replacer;
  eaten out | -15 | outside | restaurant, fast foods, fast food;
  a part | -15 | outside | fat only, separable fat, giblets, skin, neck, heart, liver, gizzard, tail,
    feet, tongue, brain, lungs, spleen, kidneys, ears, by products, variety meats, peel, leaf, leaves,
    leafy, greens, tops, shoots, hulls, shells;
  made from it | -15 | front | flour, oil, paste, starch, bran, germ, meal;
  dried | -12 | outside | dried, dehydrated, dehyd, dry, powder, powdered, pdr, concentrate,
    concentrated, conc, mix, instant, inst, flakes, evaporated, evap,
    séché, séchée, séchés, séchées, déshydraté, déshydratée, poudre,
    getrocknet, gedroogd, gedroogde;
  diet form | -12 | outside | reduced, low, lo, lowfat, lofat, nonfat, diet, dietetic, dietary, light, lt,
    lite, free, unsweetened, unswtnd, calorie, cal, fortified, fort, enhanced,
    allégé, allégée, allégés, allégées;
  special form | -10 | outside | sprouted, microwaved, toasted, stewed, stwd, fried, scalloped, creamed, crmd,
    smoked, imported, imp, select, sel, zealand, nz, australian, choice, choic, prime, baby, blend, mixture;
  sweetened, coated or flavoured | -7 | outside | sweetened, swtnd, candied, glazed, coated, filled, stuffed,
    breaded, breading, battered, batter, flavor, flavored, flav, flavour, flavoured;
  salted | -2 | outside | with salt, w salt, salt added, lightly salted, salted;
  canned or pickled | -7 | outside | canned, cnd, syrup, pickled, bottled, btld, jarred,
    appertisé, appertisée, appertisés, appertisées, conserve,
    konserve, blik, scatola, enlatado, enlatada, enlatados, enlatadas;
  frozen | -7 | outside | frozen, frz, refrigerated, refr,
    surgelé, surgelée, surgelés, surgelées,
    tiefgekühlt, diepvries, surgelato, surgelata, surgelati, surgelate, congelado, congelada, congelados, congeladas;
  with something | -3 | outside | with, w, and;`;

const ROWS = KINDS_TABLE.split(';')
  .slice(0, -1)
  .map((row) => row.split('|').map((cell) => cell.trim()));

export const KINDS: readonly Kind[] = ROWS.map(([reason = '', points = '', where = '']) => {
  return { reason, points: Number(points), where };
});

const NUMBERS = ROWS.flatMap(([, , , words = ''], kind) =>
  listOf(words).map((text) => [text, kind] as const),
);
const isPair = ([text]: readonly [string, number]): boolean => text.includes(' ');

export const KIND_OF = new WordTable(NUMBERS.filter((each) => !isPair(each)));
/** The same for a pair of words, by its text; and the words that begin one. */
export const KIND_OF_PAIR: ReadonlyMap<string, number> = new Map(NUMBERS.filter(isPair));
export const BEGINS_PAIR = new WordTable(
  Array.from(KIND_OF_PAIR.keys(), (pair) => [pair.slice(0, pair.indexOf(' ')), true] as const),
);
