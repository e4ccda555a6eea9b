/** The known headings: one table of names for tables of any origin. docs/own-foods.md shows it to users. */
import { MAX_PORTIONS } from '../rules/portions.ts';
import type { Unit } from './heading.ts';

/** The fields of columns in users' tables. `fat_g` is total fat, which may replace the three kinds of fatty acids. */
export const FIELDS = [
  'description',
  'kcal',
  'protein_g',
  'carbohydrate_g',
  'fat_g',
  'fa_sat_g',
  'fa_mono_g',
  'fa_poly_g',
  'popularity',
] as const;
/** The fields whose figures are for an amount of food, 100 g unless the table says otherwise. */
const SCALED: ReadonlySet<string> = new Set(FIELDS.slice(1, -1));
export const isScaled = (field: string): boolean => SCALED.has(field);

export type PortionField = `portion_${number}` | `portion_${number}_g`;
export type Field = (typeof FIELDS)[number] | PortionField;

export const PORTION_FIELDS: readonly (readonly [text: PortionField, weight: PortionField])[] = Array.from(
  { length: MAX_PORTIONS },
  (_, i) => [`portion_${i + 1}`, `portion_${i + 1}_g`],
);

interface Names {
  readonly field: Field;
  /** The unit if the heading has none. */
  readonly unit: Unit | undefined;
  readonly names: readonly string[];
}

/** @param table by field, or by the unit of the energy: the names, separated by bars */
const headings = (table: Readonly<Record<string, string>>): readonly Names[] =>
  Object.entries(table).map(([name, names]) => ({
    field: name === 'kJ' || name === 'energy' ? 'kcal' : (name as Field),
    unit: name === 'kcal' || name === 'kJ' ? name : undefined,
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
