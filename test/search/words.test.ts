/** Searches by words, compared with the rules applied to every food, and their spelling. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_OTHER_NAMES, textOfUtf8 } from '#core';
import { type FoodIndex, OtherNameTable } from '#engine';
import { pairsOf } from '../support/cases.ts';
import { indexOf as indexOfFoods, placesIn } from '../support/index.ts';
import { food, numbered } from '../support/service.ts';
import { byWords, describedBy, expectLikeRules, WORDS } from './like-rules.ts';
import { RulesOracle } from './rules-oracle.ts';

/** @param descriptions between bars */
const indexOf = (descriptions: string): Promise<FoodIndex> => indexOfFoods(numbered(descriptions.split('|')));

const found = (index: FoodIndex, text: string, names = NO_OTHER_NAMES) => {
  const { body, replaced } = index.searchWords(text, names);
  const foods = (JSON.parse(textOfUtf8(body)) as { description: string }[]).map((each) => each.description);
  return { foods, replaced: replaced.map(({ typed, searched }) => `${typed}=${searched}`) };
};

const SEPARATORS = [' ', ', ', ' - ', '，', '（', '） ', '، ', '। '];
const described = describedBy(fc.constantFrom(...WORDS), 7, SEPARATORS);
const asked = fc
  .array(fc.constantFrom(...WORDS, 'e', 'o', 'mi', 'olives', 'egg', 'ber', 'zz', 'w', 'joe\u2019s'), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((words) =>
    fc.constantFrom(' ', '  ', ', ', '-', '、', '،').map((separator) => words.join(separator)),
  );

describe('foods with the words of a text', () => {
  test.each([
    ['trader joes', ["Trader Joe's Pizza", 'Trader Joe’s Salsa', 'Pizza, Trader Joes']],
    ["trader joe's pizza", ["Trader Joe's Pizza", 'Pizza, Trader Joes']],
    ['joe’s salsa', ['Trader Joe’s Salsa']],
  ])('%s is found with and without its apostrophe', async (text, expected) => {
    const index = await indexOf("Trader Joe's Pizza|Trader Joe’s Salsa|Pizza, Trader Joes|Trader Josh Pie");
    expect(found(index, text).foods.slice(0, expected.length).toSorted()).toEqual(expected.toSorted());
    expect(found(index, text).replaced).toEqual([]);
  });

  test('come in the order of the rules applied to every food', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(described, { minLength: 1, maxLength: 40 }),
        fc.array(asked, { minLength: 1, maxLength: 8 }),
        (descriptions, texts) => expectLikeRules(descriptions, texts, byWords),
      ),
      { numRuns: 300 },
    );
  });

  test('are the same for the same words, whatever is between and around them', async () => {
    const index = await indexOf('Eggs, whole|Oil, olive, salad or cooking|Mayonnaise, with olive oil');
    const { foods } = found(index, 'olive oil');
    expect(foods).toEqual(['Oil, olive, salad or cooking', 'Mayonnaise, with olive oil']);
    const texts = '  olive  oil |OLIVE, OIL!|oil olive|Olives oils|(olive) - oil|olive olive oil';
    for (const text of texts.split('|')) expect(found(index, text), text).toEqual({ foods, replaced: [] });
    for (const text of [',', ' ', '–', '\ud800', '\ud800 oil', '\0'])
      expect(found(index, text), JSON.stringify(text)).toEqual({ foods: [], replaced: [] });
  });

  test('compete with foods that have some of them, by the weights of the words', async () => {
    const names = 'Beans Peas Olives Lentils Peppers Cabbage Apples';
    const green = names.replaceAll(/(\w+) ?/g, '|$1, green, raw');
    const index = await indexOf(
      `Onions, spring, raw|Onions, sweet, raw|Sauce with green peppers and onions${green}|Tea, green`,
    );
    const missing = (text: string) => index.searchWords(text, NO_OTHER_NAMES).missing;
    // The sauce has both, far from what names it.
    const { foods } = found(index, 'green onion');
    expect(foods.slice(0, 2)).toEqual(['Onions, sweet, raw', 'Onions, spring, raw']);
    expect(foods).toHaveLength(11);
    expect(missing('green onion')).toEqual([]);
    expect(found(index, 'green tea').foods[0]).toBe('Tea, green');
    expect(found(index, 'xyzzy tea').foods).toEqual(['Tea, green']);
    expect(missing('xyzzy tea')).toEqual(['xyzzy']);
    expect(missing('spring tea beans')).toEqual(['spring', 'tea']);
    expect(found(index, 'xyzzy plugh').foods).toEqual([]);
    expect(missing('xyzzy plugh')).toEqual([]);
  });

  test('that a food is without do not find it first', async () => {
    const butters = 'Butter, without salt|Butter, salted|Butter, no added salt, whipped';
    const index = await indexOf(`${butters}|Salt, table`);
    expect(found(index, 'salt').foods[0]).toBe('Salt, table');
    expect(found(index, 'salted butter').foods[0]).toBe('Butter, salted');
  });
});

test.each([
  // As with "azúcar": before what has it in another name, begins with it, or has it as typed.
  ['azucar', ['Azúcar, moreno', 'Pan, azúcar', 'Muesli', 'Azucarillo', 'Azucar y sal']],
  ['sal azucar', ['Azucar y sal', 'Azúcar, moreno']],
  ['mani', ['Cacahuetes', 'Manitas']],
  ['te', ['Té', 'Tequila']],
  // Typed with them, as it stands; and without, where more foods have it so.
  ['azúcar', ['Azúcar, moreno', 'Pan, azúcar']],
  ['papa', ['Papa', 'Papaya']],
])('%j without its accents finds %j', async (text, first) => {
  const foods = 'Pan, azúcar|Azúcar, moreno|Azucarillo|Azucar y sal|Manitas|Té|Tequila|Papa|Papaya|Papá';
  const index = await indexOfFoods([
    ...foods.split('|').map((description) => food(description)),
    food('Muesli', { names: ['Muesli sin azúcar'] }),
    food('Cacahuetes', { names: ['maní'] }),
  ]);
  expect(found(index, text).foods.slice(0, first.length)).toEqual(first);
  expect(found(index, text).replaced).toEqual([]);
});

describe('a misspelt word', async () => {
  const index = await indexOf(
    'Broccoli, raw|Broccoli, cooked|Brocade|Chicken, breast|Chicken, wing|Crème brûlée|Rice|Mice|Mice, blind',
  );

  test.each([
    ['borccoli', 'Broccoli, raw', ['borccoli=broccoli']],
    ['brocccoly', 'Broccoli, raw', ['brocccoly=broccoli']],
    ['chiken braest', 'Chicken, breast', ['chiken=chicken', 'braest=breast']],
    // Accents do not count as edits.
    ['creme brulee', 'Crème brûlée', []],
    ['crmee burlee', 'Crème brûlée', ['crmee=crème', 'burlee=brûlée']],
    ['chickne wi', 'Chicken, wing', ['chickne=chicken']],
    // Short words: letters in each other's places, one doubled, one missing.
    ['rcie', 'Rice', ['rcie=rice']],
    ['riice', 'Rice', ['riice=rice']],
    ['micee', 'Mice', ['micee=mice']],
    ['rie', undefined, []],
    // The first letter may be in the place of the second.
    ['hcicken', 'Chicken, wing', ['hcicken=chicken']],
    // Unfinished, and already misspelt.
    ['broccc', 'Broccoli, raw', ['broccc=broccoli']],
  ])('%s finds %s', (text, first, replaced) => {
    expect(found(index, text).foods[0]).toBe(first);
    expect(found(index, text).replaced).toEqual(replaced);
  });

  test('of three letters, with too many edits, or that begins another word is not corrected', () => {
    for (const text of ['ric', 'chick', 'broccoli raw']) expect(found(index, text).replaced).toEqual([]);
    // One letter from a beginning of "chicken", but too short for that.
    expect(found(index, 'chyck').foods).toEqual([]);
    expect(found(index, 'rce').foods).toEqual([]);
    expect(found(index, 'brkkkoli').foods).toEqual([]);
  });
});

describe('an edit is one letter of the script', async () => {
  // The other words have as many letters in common as a single character.
  const index = await indexOf(
    '김치|치킨|닭고기|고구마 맛탕|밥그릇|पनीर|गुलाबजामुन|चावल|अरहर दाल|กะเพรา|มะม่วง|دجاج|بطاطس|كُسْكُس|أرز|দোসা|রসগোল্লা|がんもどき|Борщ|Йогурт|Μουσακάς|Phở bò',
  );

  test.each([
    // Hangul: a jamo is wrong, added, or missing.
    ['치칸', ['치칸=치킨']],
    ['기무치', ['기무치=김치']],
    ['달고기', ['달고기=닭고기']],
    ['고기마', ['고기마=고구마']],
    // Devanagari: a vowel sign.
    ['गुलाबजामन', ['गुलाबजामन=गुलाबजामुन']],
    // Of four letters, none is another.
    ['पनिर', []],
    ['चवल', []],
    ['अरहरि', ['अरहरि=अरहर']],
    // Thai: a vowel sign, a tone mark.
    ['กะเพรี', ['กะเพรี=กะเพรา']],
    ['มะมวง', ['มะมวง=มะม่วง']],
    // Arabic: a letter, a vowel sign, a hamza.
    ['بطاطص', ['بطاطص=بطاطس']],
    ['كُسْكس', ['كُسْكس=كُسْكُس']],
    ['ارز', ['ارز=أرز']],
    // Bengali: a vowel sign of two parts. Japanese: a letter with a voicing mark.
    ['রসগেল্লা', ['রসগেল্লা=রসগোল্লা']],
    ['がんもとき', ['がんもとき=がんもどき']],
    // The first letter stays.
    ['かんもどき', []],
    // Accents are no letters, and Latin letters without them are as typed.
    ['иогурт', ['иогурт=йогурт']],
    ['μουσακας', ['μουσακας=μουσακάς']],
    ['pho bo', []],
  ])('%s', (text, replaced) => expect(found(index, text).replaced).toEqual(replaced));

  test.each([
    // Every syllable begins with the same jamo, but four to six letters are wrong.
    '까투',
    'दजोज',
    // Two vowel signs.
    'पुनिर',
    // Two letters.
    'رحاج',
    // Two vowel signs.
    'দেসি',
  ])('%s is too far from every word', (text) => {
    expect(found(index, text)).toEqual({ foods: [], replaced: [] });
  });

  test('two voicing marks are too many, but some pairs of characters are right', () => {
    expect(found(index, 'かんもとぎ')).toEqual({ foods: ['がんもどき'], replaced: [] });
  });
});

describe('corrections', () => {
  /** Characters, and their letters. */
  const CHARACTERS = new Map(
    pairsOf(
      'a → a | b → b | é → e | ê → e | 가 → ㄱㅏ | 각 → ㄱㅏㄱ | 닥 → ㄷㅏㄱ | 닭 → ㄷㅏㄹㄱ | 과 → ㄱㅘ | が → が | か → か | ि → ि | ी → ी',
    ),
  );
  const lettersOf = (text: string) => Array.from(text, (each) => CHARACTERS.get(each)).join('');
  // Of words without blanks between them, pairs of characters are near as well: those of one character have none.
  const isTogether = (character: string): boolean => /[가-힣がか]/.test(character);
  const spelt = fc.oneof(
    fc.constantFrom(...[...CHARACTERS.keys()].filter(isTogether)),
    // A word is of one script.
    ...['abéê', 'िी'].map((letters) =>
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 10 }),
    ),
  );

  /** The edits between two words, from all prefixes of both. */
  const editsBetween = (a: string, b: string): number => {
    const rowOf = (i: number) => Array.from(`${b} `, (_, k) => (i === 0 ? k : i));
    const rows = Array.from({ length: a.length + 1 }, (_, i) => rowOf(i));
    for (let i = 1; i <= a.length; i++)
      for (let k = 1; k <= b.length; k++) {
        const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
        rows[i]![k] = Math.min(
          rows[i - 1]![k]! + 1,
          rows[i]![k - 1]! + 1,
          rows[i - 1]![k - 1]! + Number(a[i - 1] !== b[k - 1]),
          swapped ? rows[i - 2]![k - 2]! + 1 : Number.POSITIVE_INFINITY,
        );
      }
    return rows[a.length]![b.length]!;
  };

  /** The first letter stays or is in the second place; of up to four, a letter is missing, doubled, or in its neighbour's place. */
  const isLikely = (typed: string, meant: string): boolean => {
    const swapped = (i: number) => [typed.slice(0, i), typed[i + 1], typed[i], typed.slice(i + 2)].join('');
    const places = Array.from(typed, (_, i) => i);
    if (typed[0] !== meant[0] && !meant.startsWith(swapped(0).slice(0, 2))) return false;
    if (typed.length > 4) return true;
    return (
      typed === meant ||
      places.some((i) => swapped(i) === meant) ||
      places.some((i) => typed[i] === typed[i - 1] && typed.slice(0, i) + typed.slice(i + 1) === meant) ||
      Array.from(meant, (_, i) => i).some((i) => meant.slice(0, i) + meant.slice(i + 1) === typed)
    );
  };

  test('are the nearest of all words that a typist may have meant', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(spelt, { minLength: 1, maxLength: 30 }),
        spelt,
        async (words, typed) => {
          const letters = lettersOf(typed);
          const most = letters.length < 4 ? 0 : letters.length < 8 ? 1 : 2;
          const costOf = (word: string): number => {
            const other = lettersOf(word);
            const edits = editsBetween(letters, other);
            if (edits > most || Math.min(letters.length, other.length) < 3) return Number.POSITIVE_INFINITY;
            if (!isLikely(letters, other)) return Number.POSITIVE_INFINITY;
            return 10 * edits + (other[0] === letters[0] ? 0 : 5);
          };
          fc.pre(!words.some((word) => word.startsWith(typed)));
          const index = await indexOf([...words, 'zz'].join('|'));
          const { readings } = index.searchWords(`${typed} zz`, NO_OTHER_NAMES);
          const [replaced] = readings
            .flatMap((reading) => reading.replaced)
            .filter(({ searched }) => !searched.includes(' '));
          const cost = replaced === undefined ? Number.POSITIVE_INFINITY : costOf(replaced.searched);
          expect(cost).toBe(Math.min(...words.map(costOf)));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('readings', async () => {
  const names = new OtherNameTable(
    pairsOf(`
      aubergine → eggplant | minced beef → ground beef | rocket → arugula | rocket → roquette
      creme fraiche → sour cream | biscuit → cookie | cold cuts → luncheon | curd → yogurt | curd → quark
      bean curd → tofu
    `).map(([name, other]) => ({ name, other })),
  );
  const DESCRIPTIONS =
    'Eggplant, raw|Beef, ground|Ham, minced|Roquette|Rocketeer cereal|Cream, sour|Chickpeas, raw|Bread, corn, home-made|' +
    'Corn, sweet|Biscuits, plain|Cookies, plain|Battered fish|Coffee, brewed|Yogurt|Quark|Tofu|Lemon curd|Green bean|' +
    'Cold Cuts|Luncheon|Cold soup|Cuts of lamb';
  const index = await indexOf(DESCRIPTIONS);

  test.each([
    ['aubergine', 'Eggplant, raw', ['aubergine=eggplant']],
    ['raw Aubergines', 'Eggplant, raw', ['aubergines=eggplant']],
    ['minced beef', 'Beef, ground', ['minced beef=ground beef']],
    ['rocket', 'Roquette', ['rocket=roquette']],
    ['crème fraîche', 'Cream, sour', ['crème fraîche=sour cream']],
    // Foods have both names: the one that was typed comes first.
    ['biscuit', 'Biscuits, plain', []],
    // The name of more words is meant.
    ['bean curd', 'Tofu', ['bean curd=tofu']],
    // A whole name that was typed is meant.
    ['cold cuts', 'Cold Cuts', []],
    // A food has this name, and the table does not lead from it.
    ['eggplant', 'Eggplant, raw', []],
    ['minced', 'Ham, minced', []],
    // Compounds.
    ['chick peas', 'Chickpeas, raw', ['chick peas=chickpeas']],
    ['cornbread', 'Bread, corn, home-made', ['cornbread=corn bread']],
    // A short word is misspelt only if nothing else explains the text.
    ['coffee batter', 'Coffee, brewed', []],
    ['coffee lattr', 'Coffee, brewed', []],
  ])('of %s find %s', (text, first, replaced) => {
    expect(found(index, text, names)).toMatchObject({ replaced });
    expect(found(index, text, names).foods[0]).toBe(first);
  });

  test('are few, even if another name is what was typed', async () => {
    const words = Array.from({ length: 16 }, (_, i) => `name${String.fromCharCode(97 + i)}`);
    const plurals = new OtherNameTable(words.map((word) => ({ name: word, other: `${word}s` })));
    const plenty = await indexOf(words.map((word) => `${word}|${word}s`).join('|'));
    const { readings } = plenty.searchWords(words.map((word) => `${word}s`).join(' '), plurals);
    expect(readings.length).toBeLessThanOrEqual(3);
    // So a single word is searched for as without the table.
    expect(found(plenty, 'namebs', plurals)).toEqual(found(plenty, 'namebs'));
  });

  test('that foods have other names for find both', () => {
    expect(found(index, 'biscuit', names).foods).toEqual(['Biscuits, plain', 'Cookies, plain']);
  });

  test('compete by the rules applied to every food', () => {
    const words = 'biscuits cookie corn bread cornbread chick peas rocket plain beaf raw'.split(' ');
    const oracle = new RulesOracle(DESCRIPTIONS.split('|'));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }), (some) => {
        const text = some.join(' ');
        const { body, readings } = index.searchWords(text, names);
        const asked = readings.map(({ words: each, loss, replaced }) => ({
          words: each.map((word) => word.text),
          loss,
          isTyped: replaced.length === 0,
        }));
        expect(placesIn(body), text).toEqual(oracle.searchWords(text, asked));
      }),
      { numRuns: 300 },
    );
  });
});
