/** Amounts in texts of many languages, what they weigh, and that what is shown means the same again. */
import { readFileSync } from 'node:fs';
import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { amountText, readText, readWords, weigh } from '#amounts';
import { amountsDocument, FILE } from '../../scripts/amounts-document.ts';
import { pairsOf, tablesOf } from '../support/cases.ts';

const words = readWords(readFileSync('data/amounts.txt', 'utf8'));

/** "2 × 400 g: tomatoes" */
const said = (text: string): string =>
  readText(text, words)
    .map(({ amount, food }) => {
      const shown = amount === undefined ? '–' : amount.doubt === undefined ? amountText(amount) : '?';
      return `${shown}: ${food}`;
    })
    .join('; ');

test('docs/amounts.md is made of the grammar and the words: node scripts/run.mjs scripts/amounts-document.ts', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(amountsDocument());
});

describe('what is read of', () => {
  it.each<[string, string]>([
    ...pairsOf(`
      half an avocado → ½: avocado | one and a half bananas → 1½: bananas | one-half cup sugar → ½ cup: sugar
      two-thirds cup sugar → ⅔ cup: sugar | three-quarters cup sugar → ¾ cup: sugar
      one and one-half cups milk → 1½ cup: milk | two-and-a-half cups milk → 2½ cup: milk
      half-dozen eggs → 6: eggs | a dozen and a half eggs → 18: eggs | twenty-five grams butter → 25 g: butter
      twenty two-ounce salmon fillets → 20 × 2 oz: salmon fillets | two hundred and fifty grams rice → 250 g: rice
      2/3rds cup honey → ⅔ cup: honey | a cup and a half of cooked rice → 1½ cup: cooked rice
      une tasse et demie de lait → 375 ml: lait | 1 cup and a tablespoon of sugar → 1 cup + 1 tbsp: sugar
      3 x 3 x 100 g salmon → 9 × 100 g: salmon | 1-2-3 cups flour → ?: flour | 100 g rice 200 g → ?: rice
      100 g rice 100 g → 100 g: rice | 1 cup (240 ml) milk or 200 ml cream → 1 cup: milk
      one & a half cups milk → 1½ cup: milk | 1 & 1/2 cups milk → 1½ cup: milk | half-a-cup sugar → ½ cup: sugar | half-an-ounce butter → ½ oz: butter
      one-hundred-fifty grams butter → 150 g: butter | flour.....250 g → 250 g: flour. | .5 kg rice → ½ kg: rice
      one thousand grams potatoes → 1000 g: potatoes | 4/6 eggs → –: eggs | 11/2 cups sugar → –: cups sugar
      four six-ounce salmon fillets → 4 × 6 oz: salmon fillets | a five-pound bag of flour → 5 lb: flour
      20 g - 30 g butter → 20–30 g: butter | 1 cup to 2 cups sugar → 1–2 cup: sugar
      between 20 and 30 g butter → 20–30 g: butter | entre 100 et 150 g de beurre → 100–150 g: beurre
      1 - 3/4 cups milk → ?: milk | 1 - 2 - 3 cups flour → ?: flour | 100 g or 150 g rice → 100–150 g: rice
      2 x 2 x 2 x 50 g butter → 8 × 50 g: butter | 100 g x 2 salmon → 2 × 100 g: salmon | eggs x2 → 2: eggs
      200 (g) butter → 200 g: butter | 200 [g] butter → 200 g: butter | butter (g) 200 → –: butter
      eggs (2) → 2: eggs | 1 (15 oz / 425 g) can beans → 15 oz: beans | 2 + 1 eggs → 3: eggs
      1 cup sugar plus 2 tbsp → 1 cup + 2 tbsp: sugar | 1 cup (200 g) plus 2 tbsp (25 g) sugar → 225 g: sugar
      3/4 cup (150 g) plus 2 tbsp sugar → 150 g + 2 tbsp: sugar | an egg and a half → 1½: egg | 1 cup milk and half a banana → 1 cup: milk; ½: banana
      2 tablespoons, 1 teaspoon sugar → 2 tbsp + 1 tsp: sugar | 1 cup, 16 tbsp sugar → 1 cup: sugar
      1 cup sugar 500 g → 500 g: sugar | 100 g 200 g rice → ?: rice | 2 eggs, rice 100 g → ?: eggs
      200 g salmon or 300 g → ?: salmon | 1 pint (568 ml) milk → 568 ml: milk | trois quarts de litre de lait → ¾ l: lait
      1 cup brown or white sugar → 1 cup: brown sugar | 1 cup half & half → 1 cup: half & half
      200 g 米饭，100 g 鸡肉 → 200 g: 米饭; 100 g: 鸡肉 | 米 100g、卵 2個、塩 5g → 100 g: 米; 2 個: 卵; 5 g: 塩
      200 g rice، 100 g chicken → 200 g: rice; 100 g: chicken | 200 g rice। 100 g chicken → 200 g: rice; 100 g: chicken
      2 eggs。100 g rice → 2: eggs; 100 g: rice | 1 cup【200 g】sugar → 200 g: sugar | 2 eggs；5 g salt → 2: eggs; 5 g: salt
      鶏もも肉「250 g」 → 250 g: 鶏もも肉 | 100 g café,50 g sugar → 100 g: café; 50 g: sugar
      - [ ] 2 eggs → 2: eggs | - [x] 2 eggs → 2: eggs
      90/10 ground beef → –: ground beef | ground beef 80/20 1 lb → 1 lb: ground beef
      For the sauce: 2 eggs → 2: eggs | quarter of a melon → ¼: melon | a couple of eggs → 2: eggs
      2 dozen oysters → 24: oysters | 1 extra large egg → 1 extra large: egg | 8 fl. oz. milk → 8 fl oz: milk
      ３０ g rice → 30 g: rice | 1 t salt → 1 tsp: salt | 1 T butter → 1 tbsp: butter
      100 grams of the rice → 100 g: rice | half a cup plus 1 tsp oil → ½ cup + 1 tsp: oil
      1 cup (240 ml/8 oz) milk → 1 cup: milk | 1 pound (450 g) beef → 1 lb: beef
      250 g (100 g) flour → ?: flour | 1.000 g Mehl → ?: Mehl | 1.000 kg Mehl → 1 kg: Mehl
      2 eggs & 1 slice of bread → 2: eggs; 1 slice: bread | 1 egg and 200 g steak → 1: egg; 200 g: steak
      rice 100 g, chips 150 g → 100 g: rice; 150 g: chips | 3 medium to large avocados → 3 medium: avocados
      1½ sticks (¾ cup) butter → ¾ cup: butter | 2 T-bone steaks → 2: T-bone steaks
      4 strip steaks → 4: strip steaks | 1 can full fat coconut milk → 1 can: full fat coconut milk
      4 large free-range eggs → 4 large: free-range eggs | juice of 1 lemon → 1: juice of lemon
      2-inch piece of ginger → 1 piece: ginger | bake for 20 minutes → –: bake
      15.5 -ounce can chickpeas → 15½ oz: chickpeas | 1 cup half-and-half → 1 cup: half-and-half
      11/26/2026 eggs → –: eggs | Beurre - 25 grammes → 25 g: Beurre | 2 c. à s. d'huile → 2 tbsp: huile
      4 Rumpsteaks (à 200–250 g) → 4 × 200–250 g: Rumpsteaks | 10 dkg vaj → 100 g: vaj
      2 szklanki mąki → 500 ml: mąki | 3 ząbki czosnku → 3 ząbki: czosnku | Sale q.b. → –: Sale
      Маслo - 50г → 50 g: Маслo | 鶏もも肉 1枚（250g） → 250 g: 鶏もも肉 | 砂糖 大さじ2杯 → 2 tbsp: 砂糖 | 설탕 2큰술 → 2 tbsp: 설탕
      un vaso de leche → 1 vaso: leche | 2 el olie → 2 tbsp: olie | q → –: q | 2 eggs → 2: eggs
      100 g rice → 100 g: rice | 100g rice → 100 g: rice | ½ avocado → ½: avocado | 1½ avocados → 1½: avocados
      1/2 avocado → ½: avocado | 1 1/2 cups oats → 1½ cup: oats | 2⁄3 cup oats → ⅔ cup: oats
      a half avocado → ½: avocado | half a cup of milk → ½ cup: milk | Two eggs → 2: eggs
      a dozen eggs → 12: eggs | 1-2 eggs → 1–2: eggs | 1 – 2 eggs → 1–2: eggs | 1 to 2 eggs → 1–2: eggs
      2x egg → 2: egg | 2 × egg → 2: egg | 1,5 l water → 1½ l: water
      12,5 g butter → 12½ g: butter | 1'000 g rice → 1000 g: rice | 1 oz. cheddar → 1 oz: cheddar
      2 tbsps oil → 2 tbsp: oil | 3 tablespoons olive oil → 3 tbsp: olive oil
      2 rashers bacon → 2 rashers: bacon | 3 leaves lettuce → 3 leaves: lettuce | 2 large eggs → 2 large: eggs
      rice 100 g → 100 g: rice | rice, brown, 0,5 kg → ½ kg: rice
    `),
    ['## Filling\n2 eggs', '2: eggs'],
    ...['For the sauce:', 'For the sauce', '[Sauce]', '--- Sauce ---', '*Sauce*', 'Für den Teig'].map(
      (heading): [string, string] => [heading, ''],
    ),
    ['**For 12 muffins:**\n2 eggs:', '2: eggs'],
    ['', ''],
  ])('%j', (text, expected) => expect(said(text)).toBe(expected));
});

const PORTIONS = new Map(
  tablesOf(`
    Egg | 1 large 50 | 1 extra large 56
    Cream | 1 cup, whipped 120 | 1 cup, fluid 238
    Milk | 1 cup 236.588
    Avocado | 1 cup, cubes 150 | 1 avocado 201
    Potato | 1/2 cup, diced 75 | 1 potato, medium 213
    Tomato | 1 cup, cherry tomatoes 149 | 1 cup, chopped or sliced 180 | 1 Italian tomato 62 | 2 medium 246 | 1 cherry 17
    Baguette | 1 slice 64 | 1 mini baguette 152 | 1 baguette 324
    Salt | 1 tsp 6 | 1 dash 0.4 | 1 tsp, kosher 4.8
    Garlic | 1 clove 3
    Pineapple | 1 fruit 905
    Halibut | 1/2 fillet 204
    Breadcrumbs | 1 cup 108 | 1 cup, panko 60
    Bacon | 1 slice 28
    Duck | 1/2 duck 634
    Chicken | 1 chicken 920
    Artichoke | 1 artichoke, medium 128 | 1 heart 30
    Mozzarella | 6 slices 170
    Yeast | 1 packet 7.2
    Almonds | 1 cup, whole 143 | 1 cup, ground 95
    Ham | 1 slice 28 | 1 slice, prosciutto 9.2
    Cucumber | 1 medium 201 | 1 mini or Persian 65
    Brown sugar | 1 cup, packed 220 | 1 cup, unpacked 145
  `),
);

describe('the weight', () => {
  it.each(
    pairsOf(`
      Egg: 2 → 100 | Egg: 1 extra large → 56 | Avocado: ½ → 100.5 | Tomato: 3 → 369
      Tomato: 3 cherry tomatoes → 51 | Egg: 2 medium → 100 | Baguette: 2 baguettes → 648 | Salt: 1 pinch → 0.4
      Salt: 2–4 tsp → 18 | Salt: 2 tsp kosher salt → 9.6 | Garlic: 1 large garlic clove → 3
      Garlic: 1 bulb garlic → – | Pineapple: 12 pineapple rings → – | Halibut: 2 halibut fillets → –
      Breadcrumbs: 1 cup breadcrumbs or panko → 108 | Bacon: 4 bacon strips → 112
      Tomato: 2 grape tomatoes → – | Duck: 2 duck legs → – | Chicken: 12 chicken tenders → –
      Artichoke: 6 artichoke hearts → 180 | Mozzarella: 1 ball mozzarella → – | Yeast: 1 package → 7.2
      Tomato: 1 cup chopped tomatoes → 180 | Tomato: 1 cup cherry tomatoes → 149
      Almonds: 1 cup almond flour → 95 | Ham: 4 thin slices prosciutto → 36.8 | Ham: 4 slices → 112
      Cucumber: 2 Persian cucumbers → 130 | Brown sugar: 1 cup → 220 | Brown sugar: 1 cup unpacked → 145
      Egg: 1–12 → – | Cream: 1 cup → 238 | Cream: 1 cup whipped → 120 | Potato: 1 cup → 150
      Milk: 100 ml → 100 | Milk: 1 lb 4 oz → 566.992 | Egg: 1 handful → – | Milk: 2 slices → –
      Milk: 200 kg → –
    `),
  )('of %s is %s g', (text, grams) => {
    const [description = '', typed = ''] = text.split(': ');
    const portions = (PORTIONS.get(description) ?? []).map((each) => {
      const [, portion = '', weight = ''] = /^(.+) ([\d.]+)$/.exec(each) ?? [];
      return { portion, grams: weight };
    });
    const { amount } = readText(typed, words)[0] ?? {};
    const weighed = amount && weigh(amount, { description, portions }, words, typed);
    expect(weighed?.grams ?? '–').toBe(grams);
    expect(weighed?.note === undefined).toBe(grams !== '–');
  });

  test('is the exact product for any number and portion', () => {
    const thousandths = fc.integer({ min: 1, max: 99_999 }).map((n) => new Big(n).div(1000).toFixed());
    fc.assert(
      fc.property(thousandths, thousandths, (count, grams) => {
        const [{ amount } = {}] = readText(`${count} slices bread`, words, '.');
        const food = { description: 'Bread', portions: [{ portion: '1 slice', grams }] };
        expect(amount && weigh(amount, food, words, '').grams).toBe(new Big(count).times(grams).toFixed());
      }),
    );
  });
});

test('what is shown is read as the same amount, and no text makes it throw', () => {
  const count = fc.constantFrom(
    '1',
    '2',
    '½',
    '1 1/2',
    '3½',
    '12,5',
    '2/3',
    '1-2',
    '2 to 3',
    '4/7',
    'half a',
    'a',
    'dozen',
  );
  const unit = fc.constantFrom(
    '',
    ...'g kg ml dl l oz lb tsp T cups large Bund cloves pinch EL cda. dkg szklanki 個 x'.split(' '),
  );
  const amount = fc.tuple(count, unit).map((parts) => parts.join(' '));
  const text = fc.oneof(
    amount,
    fc.tuple(amount, amount).map((parts) => parts.join(' plus ')),
    fc.tuple(count, amount).map((parts) => parts.join(' x ')),
    fc.array(fc.oneof(amount, fc.string({ unit: 'grapheme', maxLength: 5 }))).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(text, (typed) => {
      for (const reading of readText(typed, words)) {
        if (reading.amount === undefined || reading.amount.doubt !== undefined) continue;
        const shown = amountText(reading.amount);
        const again = readText(shown, words, '.')[0]?.amount;
        expect(again && amountText(again), typed).toBe(shown);
      }
    }),
    { numRuns: 2000, examples: [['2/3  2/3  1 g a']] },
  );
});

test('a word that is no amount, no note and no state is searched for, wherever it stands', () => {
  const unknown = fc.constantFrom(...'quib zorf wumple flonk drazzle'.split(' '));
  const known = fc.constantFrom(
    ...['2 cups', '100 g', '½ tsp', '3', 'a', '2 x 400 g cans', '1 lb 4 oz', 'large', 'slices'],
    ...['chopped', 'fresh', 'finely', 'and', 'with', 'of', 'to taste', ',', ';', '+', '–', '%', '2-inch'],
  );
  const text = fc.array(fc.oneof(unknown, known), { maxLength: 8 });
  fc.assert(
    fc.property(text, (parts) => {
      const line = parts.join(' ');
      const searched = readText(line, words)
        .flatMap(({ searches }) => searches)
        .join(' ');
      for (const word of line.match(/quib|zorf|wumple|flonk|drazzle/g) ?? [])
        expect(searched.split(/[^a-z]+/), line).toContain(word);
    }),
    { numRuns: 5000 },
  );
});

test.each(['1 ', '1 (1 ', '2 x ', '1 g + ', 'a, ', 'a cup of ', '(', '1 oz ', '__proto__ '])(
  '16 kB of %j take time in proportion to their length',
  (part) => {
    const timeOf = (length: number) => {
      const started = process.cpuUsage();
      readText(part.repeat(length / part.length), words);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    timeOf(16_384);
    // Once more than in proportion, for a busy machine.
    expect(timeOf(16_384)).toBeLessThan(16 * Math.max(timeOf(4096), 20_000));
  },
);

test('40,000 dashes before a number are read soon', () => {
  expect(readText(`${'-'.repeat(40_000)}1`, words)).toMatchObject([{ food: '' }]);
});

test.each(['--- Filling ---', '-=- Filling -=-', '---------- Filling ----------', '== Filling =='])(
  '%s is a heading',
  (heading) => expect(readText(heading, words)).toEqual([]),
);
