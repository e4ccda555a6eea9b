/** Headings: those that are known, and what one says: a name, a unit, an amount of food. docs/own-foods.md shows them to users. */
import { FATTY_ACIDS } from '../../foods/food.ts';
import { MAX_PORTIONS } from '../rules/portions.ts';

export type Unit = 'kcal' | 'kJ' | 'g' | 'mg' | 'µg';

export interface Heading {
  /** The words that name the column, sorted: without units, case, accents and the plural. */
  readonly key: string;
  readonly unit: Unit | undefined;
  /** What the figures are for: `100 g`, `serving`, `30 g`; undefined if the heading does not say. */
  readonly basis: string | undefined;
  readonly language: string | undefined;
}

export interface Ratio {
  readonly times: bigint;
  readonly by: bigint;
}

/** How many of the smallest unit of the same quantity each has. */
const SIZES: Readonly<Record<Unit, bigint>> = { kcal: 4184n, kJ: 1000n, g: 1_000_000n, mg: 1000n, µg: 1n };
const isEnergy = (unit: Unit): boolean => unit === 'kcal' || unit === 'kJ';

export const conversion = (from: Unit, to: Unit): Ratio | undefined =>
  isEnergy(from) === isEnergy(to) ? { times: SIZES[from], by: SIZES[to] } : undefined;

export const PER_100 = '100 g';

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', μ: 'u' };

/** Lower case, without accents and the number that some tables put first; separates words of `camelCase` and `snake_case`. */
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

/** The fields whose figures are for an amount of food, 100 g unless the table says otherwise. */
const SCALED = ['kcal', 'protein_g', 'carbohydrate_g', 'fat_g', ...FATTY_ACIDS] as const;
export const isScaled = (field: string): boolean => SCALED.some((each) => each === field);

/** The fields of columns in users' tables. `fat_g` is total fat, which may replace the three kinds of fatty acids. */
export const FIELDS = ['description', ...SCALED, 'popularity'] as const;

export type PortionField = `portion_${number}` | `portion_${number}_g`;
export type Field = (typeof FIELDS)[number] | PortionField;

export const PORTION_FIELDS: readonly (readonly [text: PortionField, weight: PortionField])[] = Array.from(
  { length: MAX_PORTIONS },
  (_, i) => [`portion_${i + 1}`, `portion_${i + 1}_g`],
);

/** @param table by field, or by the unit of the energy: the names, separated by bars */
const headings = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([name, names]) => ({
    field: name === 'kJ' || name === 'energy' ? 'kcal' : (name as Field),
    unit: name === 'kcal' || name === 'kJ' ? (name as Unit) : undefined,
    names: names.split('|').map((each) => each.trim()),
  }));

/** The most exact first. Case, accents, the order of the words, plural *s*, units and "per 100 g" do not count. */
export const HEADINGS = headings({
  description: `
    alim_nom_fr | Lebensmittelbezeichnung | Voedingsmiddelnaam/Dutch food name | FødevareNavn |
    food name | alim_nom_eng | Engelse naam/Food name | description | food description | product name |
    item name | recipe name | ingredient name | meal name | display name | long name | name | food |
    product | item | food item | commonly consumed food | consumed food | ingredient | title |
    Long_Desc | Shrt_Desc | main food description | Lebensmittel | Lebensmittelname | Bezeichnung |
    Produkt | Produktname | Nahrungsmittel | nom de l'aliment | nom du produit | aliment | nom |
    produit | désignation | libellé | nombre del alimento | nombre | alimento | producto | descripción |
    nome alimento | nome | prodotto | descrizione | descrição | produto | voedingsmiddel | naam |
    omschrijving | fødevare | navn | livsmedelsnamn | livsmedel | namn | matvare | elintarvike | nimi |
    nazwa | produkt spożywczy | název | potravina | ORIGFDNM | nombre del producto | nom fr |
    nome do alimento | dish | dish name | menu item | foodname | product description | long description |
    short description | name (English) | food name (English) | Gericht | Speise | Zutat |
    Produktbezeichnung | Artikel | Artikelbezeichnung | plat | plato | ingrédient | ingrediente |
    denominazione | название | продукт | 食品名 | 食物名称 | 名称 | 식품명 | 食物 | 음식명 | 样品名称 | 樣品名稱 | 食品名稱 | 食品名称 |
    名稱 | nazwa produktu | nazwa potrawy | produktnamn | produktnavn | nome do produto | nome prodotto |
    nome del prodotto | nama bahan | nama makanan | nama bahan makanan | nama pangan | наименование |
    наименование продукта | nazev potraviny | label | food label`,
  kcal: `
    kcal | calories | Energ_Kcal | Kalorien | calorías | calorie | calorieën | kalorier | kalorie |
    kalorit | ENERCC | калории | калорийность | 热量 | 熱量 | カロリー | 칼로리 | caloric value | valor calórico |
    kaloriegehalt`,
  kJ: `
    kJ | joules | ENERCJ`,
  // Without a unit in the heading, the figures must show it.
  energy: `
    energy | energy value | food energy | energy, metabolizable | Energie | Brennwert | Energiegehalt |
    énergie | valeur énergétique | apport énergétique | énergie, règlement UE n° 1169/2011 |
    énergie, règlement UE 1169/2011 | energy, regulation EU no 1169/2011 |
    énergie, N x facteur Jones, avec fibres | energy, N x Jones factor, with fibres |
    energy with dietary fibre, equated | energy, without dietary fibre, equated | energía |
    valor energético | valore energetico | energia | energiewaarde | energi | wartość energetyczna |
    energetická hodnota | ENERC | энергия | 能量 | エネルギー | 에너지 | 열량 | énergie alimentaire |
    energie, metaboliseerbaar`,
  protein_g: `
    protein | total protein | Eiweiß | Eiweiss | Protein (Nx6,25) | protéines | protéine | proteínas |
    proteína | proteine | eiwit | eiwitten | proteiini | białko | bílkoviny | PROT | PROCNT | PROCNP |
    PROT625 | protein, N x Jones factor | protéines, N x facteur de Jones | protein, N x 6.25 |
    protéines, N x 6.25 | protéines brutes, N x 6.25 | белки | белок | 蛋白质 | 蛋白質 | 蛋白 | Rohprotein |
    protéines, Jones | たんぱく質 | タンパク質 | 단백질`,
  carbohydrate_g: `
    carbohydrate | carbs | carb | total carbohydrate | total carbs | carbohydrate, by difference |
    carbohydrate, available | available carbohydrate, with sugar alcohols |
    available carbohydrate, without sugar alcohols | net carbs | Kohlenhydrate |
    Kohlenhydrate, verfügbar | verwertbare Kohlenhydrate | Carbohydrt | glucides | glucides disponibles |
    hydrates de carbone | hidratos de carbono | hidratos | carbohidratos | carboidrati | carboidratos |
    koolhydraten | kulhydrat | tilgængelig kulhydrat | kulhydrat, tilgængelig | kulhydrat, difference |
    kolhydrater | karbohydrat | hiilihydraatti | hiilihydraatit | węglowodany | węgle | sacharidy | CHO |
    CHOCDF | CHOAVL | CHOAVLDF | CHOAVLM | CHOCSM | CHOTOT | KH | karbohidrat | Kohlehydrate |
    carbohidratos totales | углеводы | 碳水化合物 | 碳水 | carbo | carbos | gluc | 炭水化物 | 탄수화물`,
  fat_g: `
    total fat | fat | total lipid (fat) | total lipid | lipids | Lipid_Tot | Fett | Fett gesamt |
    Fett, total | Gesamtfett | lipides | lipides, totaux | matières grasses | graisses | grasas |
    grasa total | lípidos | grassi | grassi totali | gorduras | gorduras totais | vet | vetten | fedt |
    fedt, total | fett, totalt | rasva | tłuszcz | tłuszcze | tuky | Fette | grasas totales | жиры |
    жир | 脂肪 | 脂質 | 지방 | lipídeos | lipídios | lip | FATCE | FATRN | Rohfett | lemak | lemak total`,
  fa_sat_g: `
    FA_Sat | saturated fat | saturated fatty acids | fatty acids, saturated, total |
    total saturated fatty acids | total saturated fatty acids, equated | saturates | saturated |
    sat fat | fat, saturated | FA saturated | SFA | gesättigte Fettsäuren |
    Fettsäuren, gesättigt, gesamt | gesättigte Fette | gesättigtes Fett | Fettsäuren, gesättigt |
    acides gras saturés | AG saturés | graisses saturées | ácidos grasos saturados | grasas saturadas |
    saturadas | acidi grassi saturi | grassi saturi | ácidos gordos saturados | gorduras saturadas |
    verzadigd vet | verzadigde vetzuren | mættede fedtsyrer | sum mættede fedtsyrer | mættet fedt |
    mättat fett | mättade fettsyror | mettet fett | mettede fettsyrer | tyydyttyneet rasvahapot |
    kwasy tłuszczowe nasycone | nasycené mastné kyseliny | satd FA | FASAT | ges. Fettsäuren |
    gesättigt | saturés | saturi`,
  fa_mono_g: `
    FA_Mono | monounsaturated fat | monounsaturated fatty acids | total monounsaturated fatty acids |
    total monounsaturated fatty acids, equated | monounsaturates | monounsaturated |
    mono-unsaturated fat | mono fat | MUFA | einfach ungesättigte Fettsäuren |
    Fettsäuren, einfach ungesättigt | Fettsäuren, einfach ungesättigt, gesamt |
    acides gras monoinsaturés | AG monoinsaturés | graisses monoinsaturées |
    ácidos grasos monoinsaturados | grasas monoinsaturadas | monoinsaturadas |
    acidi grassi monoinsaturi | grassi monoinsaturi | gorduras monoinsaturadas |
    enkelvoudig onverzadigd vet | enkelvoudig onverzadigde vetzuren | sum monoumættede fedtsyrer |
    monoumættede fedtsyrer | enkelomättat fett | enumettet fett | mono FA | FAMS | FAMSCIS | mono`,
  fa_poly_g: `
    FA_Poly | polyunsaturated fat | polyunsaturated fatty acids | total polyunsaturated fatty acids |
    total polyunsaturated fatty acids, equated | polyunsaturates | polyunsaturated |
    poly-unsaturated fat | poly fat | PUFA | mehrfach ungesättigte Fettsäuren |
    Fettsäuren, mehrfach ungesättigt | Fettsäuren, mehrfach ungesättigt, gesamt |
    acides gras polyinsaturés | AG polyinsaturés | graisses polyinsaturées |
    ácidos grasos poliinsaturados | grasas poliinsaturadas | poliinsaturadas | acidi grassi polinsaturi |
    grassi polinsaturi | gorduras poli-insaturadas | meervoudig onverzadigd vet |
    meervoudig onverzadigde vetzuren | sum polyumættede fedtsyrer | polyumættede fedtsyrer |
    fleromättat fett | flerumettet fett | poly FA | FAPU | poly`,
  popularity: 'popularity',
});

/** The same for portions. The number may be any; blanks, signs and case do not count. */
export const PORTION_HEADINGS = headings({
  portion_1: `
    portion 1 | portion 1 name | portion 1 description | serving 1 | measure 1 | porción 1 | porzione 1 |
    porção 1 | portie 1 | porcja 1 | GmWt_Desc1`,
  portion_1_g: `
    portion 1 g | portion 1 grams | portion 1 weight | portion 1 weight g | portion 1 Gramm |
    portion 1 grammes | serving 1 g | serving 1 grams | measure 1 g | measure 1 grams | porción 1 g |
    porzione 1 g | porção 1 g | portie 1 g | porcja 1 g | GmWt_1`,
});
