/** Makes docs/amounts.md of the grammar and data/amounts.txt: `node scripts/run.mjs scripts/amounts-document.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { amountText, readText, readWords } from '../src/amounts/index.ts';

export const FILE = 'docs/amounts.md';

/** The constructs of src/amounts, each with the function that reads it, and examples. */
const RULES: readonly (readonly [name: string, read: string, ...examples: string[]])[] = [
  ['number', 'valuesOf', '1,5 kg potatoes', "1'000 g rice"],
  ['fraction', 'partAt', '1/2 avocado', '⅓ cup milk', '1/3rd cup honey'],
  ['mixed number', 'mixedAt', '1-1/2 cups milk', '1 e 1/2 xícara (chá) de açúcar'],
  [
    'number in words',
    'wordAt',
    'three quarters of a cup of milk',
    'half a dozen eggs',
    'twenty-five grams butter',
  ],
  ['half behind the unit', 'halfBehind', 'a cup and a half of cooked rice', 'une tasse et demie de lait'],
  ['range', 'numberAt', '20 - 30 g ginger', '1 to 2 tsp sugar', 'between 20 and 30 g butter'],
  ['range with two units', 'ranged', '20 g - 30 g butter'],
  ['unit', 'unitAt', '1 heaped tbsp honey', '200 g de riz'],
  ['unit in brackets', 'unitInBrackets', '200 (g) butter'],
  ['unit before the number', 'unitBefore', '大さじ1と1/2 砂糖', '砂糖 小さじ2'],
  ['size and piece', 'unitAt', '2 large cloves garlic', '1 Bund Petersilie'],
  ['one without a number', 'withoutNumber', 'pinch of salt', 'cup of tea'],
  ['multiple', 'multiple', '2 x 400g tins tomatoes', '3x80g salmon', '3 x 3 x 100 g salmon'],
  ['multiple behind the unit', 'repeated', 'butter 100 g x 2'],
  [
    'container of a size',
    'sized',
    '2 14-oz cans coconut milk',
    '1 800g can tomatoes',
    'a five-pound bag of flour',
  ],
  ['contents of a container', 'contained', '400g can chopped tomatoes', '15 oz can beans'],
  ['size in brackets', 'bracketed', '3 (28 ounce) cans tomatoes', '6 (6-oz) salmon fillets'],
  ['pieces, not a range', 'dashed', '2 - 8 oz boxes cream cheese', '2-14 oz cans tomatoes'],
  ['sum', 'sumAt', '1 lb 4 oz beef', '2 cups plus 1 tbsp flour'],
  ['amount behind the food', 'placesOf', 'pasta 80 g dry', 'eggs x 3'],
  ['sum behind the food', 'isAdded', '1 cup sugar plus 2 tbsp'],
  ['weight of each piece', 'isEach', '4 Rumpsteaks (à 200 g)', '2 steaks (1/2 pound each)'],
  ['two statements of one amount', 'amountOf', '1/3 cup (67g) brown sugar', '3 tomatoes (about 1 pound)'],
  [
    'what cannot be decided',
    'doubt',
    '1 500 g flour',
    '2 onions, about 200 g',
    '100 g rice 200 g',
    '1-2-3 cups flour',
  ],
  ['vague amount', 'notesEnd', 'a few almonds', 'salt to taste'],
  ['no amount', 'isNoAmount', '2% milk', '7 up'],
  ['list in a line', 'cutsOf', 'breakfast: 2 eggs + toast', 'chicken 200 g, rice 150 g'],
  [
    'alternatives',
    'mixedFoods',
    '2 cups chicken or vegetable broth',
    '1 onion or 2 shallots',
    '1 cup (240 ml) milk or 200 ml cream',
  ],
  ['sizes', 'unitAt', '3 medium to large avocados', '2 extra large eggs'],
  ['lean and fat', 'fatOf', '1 lb ground beef (85/15)', '90% lean ground beef', '1 cup 0% Greek yogurt'],
  ['heading', 'isHeading', '## Filling', 'For the sauce:'],
  ['what follows the food', 'wordsOf', 'water, plus more for rinsing rice', '4 eggs (I use duck eggs)'],
];

export function amountsDocument(): string {
  const file = readFileSync('data/amounts.txt', 'utf8');
  const words = readWords(file);
  const shown = (text: string) =>
    readText(text, words)
      .map(({ amount, searches }) => {
        const read =
          amount === undefined ? 'no amount' : amount.doubt === undefined ? amountText(amount) : 'unknown';
        return `**${read}**: ${searches[0]}`;
      })
      .join('; ') || 'nothing';
  const rows = RULES.map(
    ([name, read, ...examples]) =>
      `| ${name} | \`${read}\` | ${examples.map((each) => `\`${each}\` → ${shown(each)}`).join('<br>')} |`,
  );
  const languages = file.split(/^(?=\[\w+\] )/m).slice(1);
  const lineOf = (block: string, kind: string) =>
    (new RegExp(`^${kind}: (.*(?:\\n +.*)*)`, 'm').exec(block)?.[1] ?? '').replace(/\s*\|\s*/g, ', ');
  const table = languages.map((block) => {
    const cups = Array.from(
      block.matchAll(/^(?:cup|measure) of ([\d.]+ m?l): (.+)$/gm),
      ([, size, names]) => `${names?.split(' | ')[0]} ${size}`,
    );
    return `| ${/^\[\w+\] (.+)/.exec(block)?.[1]} | ${lineOf(block, 'tsp')} | ${lineOf(block, 'tbsp')} | ${cups.join(', ')} |`;
  });
  return `# Amounts

Find out how the page, [\`GET /amounts\`](http-api.md#get-amountsqline) and \`food-lookup amounts\` read a recipe or a diary. A figure is
shown only where a text can be read in one way; otherwise the weight is unknown, with a sentence that says why.

## What is read

Each construct is a function of \`src/amounts/\`. The amount is in bold type, then what is searched for first.

| construct | function | examples |
| --- | --- | --- |
${rows.join('\n')}

## What an amount weighs

Grams and ounces are weights. Everything else needs a portion of the food: the same unit, or another one of volume; the piece with
the same name; or, for a number alone or a medium one, the food's own piece, which a leg of a chicken, a heart of an artichoke or a
baby bok choy is not. A pinch is what USDA calls a dash. Of two portions that fit, the plain one counts, unless the text says
otherwise; brown sugar is packed. A range counts as its middle if its ends differ by a factor of three at most. Weights are exact
products.

## Which food it is

The first food of a search by words for the text without the amount, if its description and other names have every word that names
the food. States (\`chopped\`, \`fresh\`), sizes and forms (\`fillets\`), and the name of a brand before the food (\`Heinz ketchup\`) may be
missing; a plant, an animal, a kind or a purpose may not: *hemp milk* is no milk, *hand cream* no cream, and for *rice vinegar* another
vinegar is not the answer. A form alone (\`flakes\`, \`leaves\`) or a group of foods (\`meat\`, \`dessert\`) names nothing. A word such as
\`sauce\` needs all words before it. A text that says \`boiled\`, \`gekocht\` or \`cuit\` gets a cooked food where the data have one; without
a state it gets the raw or dry food, and what is canned is neither. What is dried or a powder has at least 50 g of protein, carbohydrate
and fat in 100 g, so *mango powder* is no raw mango; and a food does not have what its description says it is without, so *gluten flour*
is no gluten-free pasta. What was not found is in the answer as \`missing\`.

Of foods of one name, the one counts that has nearly the fat that the text states: \`93/7\` of ground beef is the one with 5 %. If all have
much more or less, none does.

A text that is the whole description of a food is this food, with its state: \`100 g Duck, with skin, roasted\`. One that is the name of
a food, in front of its states, comes before others with the same words: *chocolate milk* is no milk chocolate.

With \`lang\`, a text is read in that language, and all of it but the amount is tried as a name first: \`100 g noix\` are walnuts, of which
French also has knobs of butter, and \`1 Dose Kidneybohnen\` are those from a tin. Otherwise the food is the one that is called so there;
in a longer text, what remains behind states and forms must be the whole of one of its names.

A misspelt word counts as the one that is meant (\`brocolli\`, \`cinammon\`), where vowels or doubled letters differ, or one consonant of
several. A word of nearly the same spelling is another food, and counts as missing: *manchego* is not *rancheros*, *bream* no bread.
So does a word that is only the beginning of another one, as *maca* is of macaroni: a line has no unfinished words. In the box of the
page, the last word may be unfinished.

## Languages

The words of all languages are in \`data/amounts.txt\`, which anybody who knows a language can mend. A language need not be said. Where
a word means different things in two languages, the other words of the line decide; if they do not, the weight is unknown.

| language | teaspoon | tablespoon | cups and other measures |
| --- | --- | --- | --- |
${table.join('\n')}
`;
}

/** Only if the file was named on the command line: tests import it. */
if (process.argv[2] === 'scripts/amounts-document.ts') writeFileSync(FILE, amountsDocument());
