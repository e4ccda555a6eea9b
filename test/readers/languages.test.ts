/** The words of data/headings.txt: whole, without contradictions, and enough for tables as people write them. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { renderEntry } from '#core';
import { gramsOf } from '../../src/tables/own/amounts.ts';
import { candidateOf } from '../../src/tables/own/candidates.ts';
import { nutrientColumns } from '../../src/tables/own/nutrient-columns.ts';
import { parseHeading } from '../../src/tables/words/headings.ts';
import { LANGUAGES } from '../../src/tables/words/languages.ts';
import { casesOf } from '../support/cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { importSources } from '../support/import.ts';

const folder = temporaryFolder();

/** By kind of word: the field that it names, or what else it means. */
const MEANINGS: Readonly<Record<string, string>> = {
  food: 'description',
  ...{ energy: 'kcal', calories: 'kcal', kilojoules: 'kcal' },
  ...{ protein: 'protein_g', carbohydrate: 'carbohydrate_g', fat: 'fat_g' },
  ...{ saturated: 'fa_sat_g', monounsaturated: 'fa_mono_g', polyunsaturated: 'fa_poly_g' },
  popularity: 'popularity',
  ...{ fibre: 'Fibre', sugars: 'Sugars', 'added sugars': 'Added sugars' },
  ...{ starch: 'Starch', trans: 'Trans fat' },
  ...{ cholesterol: 'Cholesterol', salt: 'Salt', sodium: 'Sodium', alcohol: 'Alcohol' },
  ...{ barcode: 'code', 'perhaps a barcode': 'code' },
  'other names': 'names',
  ...{ weight: 'weight', 'net weight': 'net weight', unit: 'unit' },
  ...{ date: 'date', meal: 'meal', 'meal date': 'date' },
};
/** A word that names the food where nothing else does, and a weight where something does. */
const HOMOGRAPHS = ['label'];
const OTHER_KINDS =
  'nutrient|portion 1|portion 1 weight|serving|piece|per 100 g|in 100 g|kcal|kJ|g|mg|µg|IU|ml|measure|energy measure|error|which figure|of which|which weight|little words'.split(
    '|',
  );
/** What each language needs for a table of foods. */
const NEEDED = ['food', 'energy', 'protein', 'carbohydrate', 'fat', 'saturated', 'weight', 'per 100 g'];
const SPOKEN = LANGUAGES.filter(({ code }) => code.length === 2);

const every = LANGUAGES.flatMap(({ code, words }) =>
  Array.from(words, ([kind, names]) => ({ code, kind, names })),
);

describe('data/headings.txt', () => {
  test('has what a table of foods needs in 60 languages, and no kind that is none', () => {
    expect(SPOKEN.length).toBeGreaterThanOrEqual(60);
    for (const { code, words } of SPOKEN)
      expect([code, ...NEEDED.filter((kind) => !words.has(kind))]).toEqual([code]);
    const kinds = new Set([...Object.keys(MEANINGS), ...OTHER_KINDS]);
    for (const { code, kind } of every) expect(kinds, code).toContain(kind);
  });

  test('has every line of words in a block, and none twice in it', async () => {
    const lines = (await readFile('data/headings.txt', 'utf8')).split('\n');
    const isWords = /^(?:#.*|\[\w+\] .+|[\w µ]+: \S.*| {2}\S.*|)$/;
    expect(lines.filter((line) => !isWords.test(line))).toEqual([]);
    expect(lines.filter((line) => /^[\wµ][\w µ]*: /.test(line))).toHaveLength(every.length);
    for (const { code, kind, names } of every) {
      const twice = names.filter((name, i) => name === '' || names.indexOf(name) !== i);
      expect([code, kind, ...twice]).toEqual([code, kind]);
    }
  });

  test('has no word that means two things', () => {
    const meanings = new Map<string, Set<string>>();
    for (const { kind, names } of every) {
      const meaning = MEANINGS[kind];
      if (meaning === undefined) continue;
      for (const { key, basis } of names.map(parseHeading)) {
        if (key !== '') meanings.set(key, (meanings.get(key) ?? new Set()).add(meaning));
        else if (meaning !== 'kcal') expect(basis, names.join()).toBe('serving');
      }
    }
    const ambiguous = Array.from(meanings).filter(([, all]) => all.size > 1);
    expect(ambiguous.map(([key]) => key)).toEqual(HOMOGRAPHS);
  });

  test('has words that are read as what they are, in capitals and with a unit', () => {
    for (const { code, kind, names } of every) {
      const field = MEANINGS[kind];
      if (
        field === undefined ||
        /^\p{Lu}|^code$/u.test(field) ||
        ['weight', 'net weight', 'unit', 'date', 'meal'].includes(field)
      )
        continue;
      const unit = kind === 'energy' ? ' (kJ)' : field.endsWith('_g') ? ' (g)' : '';
      for (const name of names)
        for (const heading of [name, `${name.toUpperCase()}${unit}`])
          expect([code, heading, candidateOf(heading, 0)?.field]).toEqual([code, heading, field]);
    }
  });

  test('has names of nutrients that are read as those of a label, and of codes', () => {
    for (const { code, kind, names } of every) {
      const label = MEANINGS[kind] ?? '';
      if (!/^\p{Lu}|^code$/u.test(label)) continue;
      for (const name of names) {
        const { found, codes } = nutrientColumns([`${name.toUpperCase()} (mg)`, name], () => false);
        expect([code, name, found[0]?.kind.label ?? (codes[0] && 'code')]).toEqual([code, name, label]);
      }
    }
  });

  test('has units and phrases that are read as such', () => {
    for (const { code, kind, names } of every)
      for (const name of names) {
        const at = `${code}: ${name}`;
        if (kind === 'per 100 g' || kind === 'in 100 g')
          expect([at, parseHeading(`kJ ${name}`)]).toMatchObject([at, { key: '', basis: '100 g' }]);
        if (kind === 'serving') expect([at, parseHeading(name).basis]).toEqual([at, 'serving']);
        if (kind === 'g' || kind === 'ml') expect([at, gramsOf(`30 ${name}`)]).toEqual([at, '30']);
        if (['kcal', 'kJ', 'g', 'mg', 'µg'].includes(kind))
          expect([at, parseHeading(`X (${name})`)]).toMatchObject([at, { key: 'x', unit: kind }]);
      }
  });
});

/** Whole headers as tables have them, written without regard to the file: food, energy, protein, carbohydrate, fat, saturated. */
const TABLES = casesOf(`
  Albanian | Emri i ushqimit;Energjia (kcal);Proteina (g);Karbohidrate (g);Yndyrna (g);të cilat të ngopura (g)
  Arabic | اسم الصنف;السعرات الحرارية;البروتين (جم);الكربوهيدرات (جم);الدهون (جم);الدهون المشبعة (جم)
  Arabic, per 100 g | المادة الغذائية;الطاقة (سعرة حرارية) لكل ١٠٠ غرام;بروتين;نشويات;إجمالي الدهون;دهون مشبعة
  Bengali | খাবারের নাম;শক্তি (কিলোক্যালরি);প্রোটিন (গ্রাম);শর্করা (গ্রাম);চর্বি (গ্রাম);সম্পৃক্ত চর্বি (গ্রাম)
  Bulgarian | Продукт;Енергийна стойност (kcal/100 г);Белтъци, г;Въглехидрати, г;Мазнини, г;от които наситени мастни киселини, г
  Catalan | Aliment;Valor energètic (kcal);Proteïnes (g);Hidrats de carboni (g);Greixos (g);dels quals saturats (g)
  Chinese | 食物名称;热量(千卡/100克);蛋白质(克);碳水化合物(克);脂肪(克);饱和脂肪(克)
  Chinese, traditional | 品名;每百公克熱量(大卡);蛋白質(公克);碳水化合物(公克);脂肪(公克);飽和脂肪(公克)
  Croatian | Naziv namirnice;Energija (kcal);Bjelančevine (g);Ugljikohidrati (g);Masti (g);od kojih zasićene masne kiseline (g)
  Czech | Název potraviny;Energie [kcal];Bílkoviny [g];Sacharidy [g];Tuky [g];z toho nasycené mastné kyseliny [g]
  Danish | Fødevare;Energi (kcal pr. 100 g);Protein;Kulhydrat;Fedt;heraf mættede fedtsyrer
  Dutch | Voedingsmiddel;Energie (kcal);Eiwitten (g);Koolhydraten (g);Vetten (g);waarvan verzadigde vetzuren (g)
  Estonian | Toiduaine;Energia, kcal 100 g kohta;Valgud, g;Süsivesikud, g;Rasvad, g;millest küllastunud rasvhapped, g
  Finnish | Ruoka-aine;Energia kcal/100 g;Proteiini g;Hiilihydraatit g;Rasvaa g;josta tyydyttyneitä rasvoja g
  French | Nom de l'aliment;Énergie (kcal/100 g);Protéines (g);Glucides (g);Matières grasses (g);dont AG saturés (g)
  Georgian | პროდუქტი;კალორიები;ცილები (გ);ნახშირწყლები (გ);ცხიმები (გ);ნაჯერი ცხიმები (გ)
  Greek | Τρόφιμο;Ενέργεια (kcal);Πρωτεΐνες (γρ.);Υδατάνθρακες (γρ.);Λιπαρά (γρ.);εκ των οποίων κορεσμένα (γρ.)
  Greek, in capitals | ΟΝΟΜΑ ΤΡΟΦΙΜΟΥ;ΘΕΡΜΙΔΕΣ;ΠΡΩΤΕΪΝΗ;ΥΔΑΤΑΝΘΡΑΚΕΣ;ΣΥΝΟΛΙΚΑ ΛΙΠΑΡΑ;ΚΟΡΕΣΜΕΝΑ ΛΙΠΑΡΑ
  Hebrew | שם המוצר;קלוריות;חלבונים (גרם);פחמימות (גרם);שומנים (גרם);שומן רווי (גרם)
  Hebrew, per 100 g | מזון;"אנרגיה (קק""ל) ל-100 גרם";חלבון;סך הפחמימות;סך השומנים;מתוכם שומן רווי
  Hindi | खाद्य पदार्थ;ऊर्जा (किलोकैलोरी);प्रोटीन (ग्राम);कार्बोहाइड्रेट (ग्राम);कुल वसा (ग्राम);संतृप्त वसा (ग्राम)
  Hungarian | Élelmiszer neve;Energia (kcal);Fehérje (g);Szénhidrát (g);Zsír (g);amelyből telített zsírsavak (g)
  Icelandic | Fæðutegund;Orka (kcal);Prótein (g);Kolvetni (g);Fita (g);þar af mettuð fita (g)
  Indonesian | Nama Bahan Makanan;Energi (kkal);Protein (g);Karbohidrat (g);Lemak Total (g);Lemak Jenuh (g)
  Irish | Bia;Fuinneamh (kcal);Próitéin (g);Carbaihiodráit (g);Saill (g);sáitéáin (g)
  Japanese | 食品名;エネルギー(kcal);たんぱく質(g);炭水化物(g);脂質(g);飽和脂肪酸(g)
  Japanese, per 100 g | 料理名;カロリー（100gあたり）;タンパク質;炭水化物;脂質;飽和脂肪酸
  Korean | 식품명;에너지(kcal);단백질(g);탄수화물(g);지방(g);포화지방산(g)
  Korean, per 100 g | 음식명;100g당 칼로리;단백질;탄수화물;지방;포화지방
  Latvian | Produkta nosaukums;Enerģētiskā vērtība (kcal);Olbaltumvielas (g);Ogļhidrāti (g);Tauki (g);tostarp piesātinātās taukskābes (g)
  Lithuanian | Pavadinimas;Energinė vertė, kcal;Baltymai, g;Angliavandeniai, g;Riebalai, g;iš kurių sočiosios riebalų rūgštys, g
  Macedonian | Производ;Енергија (kcal);Протеини (г);Јаглехидрати (г);Масти (г);од кои заситени масни киселини (г)
  Malay | Nama Makanan;Tenaga (kcal);Protein (g);Karbohidrat (g);Jumlah Lemak (g);Lemak tepu (g)
  Maltese | Ikel;Enerġija (kcal);Proteina (g);Karboidrati (g);Xaħam (g);li minnhom saturati (g)
  Norwegian | Matvare;Energi (kcal);Protein (g);Karbohydrat (g);Fett (g);hvorav mettede fettsyrer (g)
  Persian | نام ماده غذایی;انرژی (کیلوکالری);پروتئین (گرم);کربوهیدرات (گرم);چربی (گرم);چربی اشباع (گرم)
  Polish | Nazwa produktu;Wartość energetyczna (kcal);Białko (g);Węglowodany (g);Tłuszcz (g);w tym kwasy tłuszczowe nasycone (g)
  Portuguese | Alimento;Energia (kcal);Proteína (g);Hidratos de carbono (g);Lípidos (g);dos quais saturados (g)
  Romanian | Denumire aliment;Valoare energetică (kcal);Proteine (g);Glucide (g);Grăsimi (g);din care acizi grași saturați (g)
  Russian | Наименование;Калорийность, ккал на 100 г;Белки, г;Углеводы, г;Жиры, г;в том числе насыщенные жиры, г
  Russian, in letters | Блюдо;ккал;Б;У;Ж;НЖК
  Serbian | Назив намирнице;Енергија (kcal);Протеини (г);Угљени хидрати (г);Масти (г);од којих засићене масне киселине (г)
  Slovak | Názov potraviny;Energia (kcal);Bielkoviny (g);Sacharidy (g);Tuky (g);z toho nasýtené mastné kyseliny (g)
  Slovenian | Živilo;Energija (kcal);Beljakovine (g);Ogljikovi hidrati (g);Maščobe (g);od tega nasičene maščobne kisline (g)
  Spanish | Nombre del alimento;Energía (kcal);Proteínas (g);Hidratos de carbono (g);Grasas (g);de las cuales saturadas (g)
  Swahili | Jina la chakula;Nishati (kcal);Protini (g);Wanga (g);Mafuta (g);Mafuta yaliyoshiba (g)
  Swedish | Livsmedel;Energi (kcal/100 g);Protein (g);Kolhydrater (g);Fett (g);varav mättat fett (g)
  Tamil | உணவுப் பொருள்;ஆற்றல் (கிலோகலோரி);புரதம் (கிராம்);கார்போஹைட்ரேட் (கிராம்);கொழுப்பு (கிராம்);நிறைவுற்ற கொழுப்பு (கிராம்)
  Thai | ชื่ออาหาร;พลังงาน (กิโลแคลอรี);โปรตีน (กรัม);คาร์โบไฮเดรต (กรัม);ไขมัน (กรัม);ไขมันอิ่มตัว (กรัม)
  Thai, per 100 g | อาหาร;แคลอรี่ต่อ 100 กรัม;โปรตีน;คาร์โบไฮเดรต;ไขมันทั้งหมด;กรดไขมันอิ่มตัว
  Turkish | Besin adı;Enerji (kcal);Protein (g);Karbonhidrat (g);Yağ (g);Doymuş yağ (g)
  Turkish, in capitals | ÜRÜN ADI;KALORİ (100 g başına);PROTEİN;KARBONHİDRAT;YAĞ;DOYMUŞ YAĞ
  Ukrainian | Назва продукту;Енергетична цінність, ккал;Білки, г;Вуглеводи, г;Жири, г;з них насичені жири, г
  Vietnamese | Tên thực phẩm;Năng lượng (kcal);Chất đạm (g);Chất bột đường (g);Chất béo (g);Chất béo bão hòa (g)
`);

/** What stands beside them on labels and in tables, in all languages. */
const OTHERS =
  'Sugars|Zucker|Sucres|Azúcares|Zuccheri|Açúcares|Suikers|Sockerarter|Sukkerarter|Sokerit|Suhkrud|Cukry|Cukrok|Zaharuri|Захари|Σάκχαρα|Šećeri|Sladkorji|Cukuri|Cukrūs|Sykur|Sucres afegits|Şekerler|Сахара|Цукри|שומן טראנס|סוכרים|سكريات|قند|शर्करा|চিনি|சர்க்கரை|น้ำตาล|Đường|Gula|Asukal|Sukari|糖|糖類|당류|Starch|Stärke|Amidon|Škrob|Skrobia|Крахмал|Ballaststoffe|Vezels|Kostfibre|Rost|Błonnik|Клетчатка|ألياف|סיבים תזונתיים|Serat|Chất xơ|ใยอาหาร|食物繊維|膳食纤维|식이섬유|Salz|Sel|Sal|Sale|Sól|Só|Соль|מלח|ملح|Garam|Muối|食塩相当量|나트륨|Trans fat|Acides gras trans|Transvetten|Τρανς λιπαρά|反式脂肪|트랜스지방|Lemak trans|Trans yağ|Трансжиры|Chất béo chuyển hóa|Kolesterol|Холестерин|コレステロール|콜레스테롤'.split(
    '|',
  );

test('sugars, starch, fibre, salt, trans fat and cholesterol are no field in any language', () => {
  for (const name of OTHERS)
    for (const heading of [name, `${name} (g)`, `${name} (g/100 g)`])
      expect([heading, candidateOf(heading, 0)?.field]).toEqual([heading, undefined]);
});

const read = async (lines: readonly string[]) => {
  const { foods } = await importSources([await folder.save(`${lines.join('\n')}\n`)]);
  return foods.map((food) => JSON.parse(renderEntry(food)) as Record<string, unknown>);
};

describe('a table with decimal commas and the headings of', () => {
  it.each(TABLES)('%s is read as it is meant', async (_, header = '') => {
    const [food] = await read([header, 'A;264,5;14,2;4,1;21,3;13,7', 'B;90;1,5;20;0,5;0,1']);
    expect(food).toMatchObject({ description: 'A', kcal: 264.5 });
    expect(food).toMatchObject({ protein_g: 14.2, carbohydrate_g: 4.1, fat_g: '21.30' });
    const saturated = header.split(';').at(-1) ?? '';
    expect(candidateOf(saturated, 0)?.field).toBe('fa_sat_g');
  });
});

describe('figures for the weight in their row are converted to 100 g below', () => {
  it.each([
    ['Besin;Porsiyon (g);Kalori;Protein (g);Yağ (g);Karbonhidrat (g)', '40'],
    ['Τρόφιμο;Μέγεθος μερίδας (γρ);Θερμίδες;Πρωτεΐνη;Λίπος;Υδατάνθρακες', '40'],
    ['Lebensmittel;Portionsgröße;Kalorien;Eiweiß;Fett;Kohlenhydrate', '40 g'],
    ['Alimento;Porción (g);Calorías;Proteína;Grasa;Carbohidratos', '40'],
    ['Produkt;Porcja;Kalorie;Białko;Tłuszcz;Węglowodany', '40 g'],
    ['Élelmiszer;Adag (g);Kalória;Fehérje;Zsír;Szénhidrát', '40'],
    ['Страва;Вага порції, г;Калорії;Білки;Жири;Вуглеводи', '40'],
    ['מוצר;משקל מנה;קלוריות;חלבון;שומן;פחמימות', '40 גרם'],
    ['الطعام;الوزن;السعرات;البروتين;الدهون;الكربوهيدرات', '40 غرام'],
    ['غذا;وزن (گرم);کالری;پروتئین;چربی;کربوهیدرات', '40'],
    ['อาหาร;น้ำหนัก (กรัม);แคลอรี่;โปรตีน;ไขมัน;คาร์โบไฮเดรต', '40'],
    ['Món ăn;Khối lượng (g);Calo;Chất đạm;Chất béo;Bột đường', '40'],
    ['음식;1회 제공량(g);열량(kcal);단백질;지방;탄수화물', '40'],
    ['料理;1食の重量;カロリー;たんぱく質;脂質;炭水化物', '40グラム'],
    ['食品;份量;热量;蛋白质;脂肪;碳水化合物', '40克'],
  ])('%s', async (header, weight) => {
    expect(await read([header, `A;${weight};100;2;5;12`])).toMatchObject([
      { description: 'A', kcal: 250, protein_g: 5, fat_g: '12.50', carbohydrate_g: 30 },
    ]);
  });
});
