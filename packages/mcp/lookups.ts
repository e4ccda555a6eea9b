/** The four lookups that an assistant is offered. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import {
  type FoodEntry,
  findBarcode,
  MAX_FOODS,
  nutrientsOf,
  searchFoods,
  weighFoods,
} from '../browser/search-foods.ts';
import { lookingUpIn, tableOf } from './answers.ts';
import type { Foods } from './foods.ts';

/** As `GET /amounts` takes at once. */
const MOST_LINES = 50;

const figure = z.number().nullable();
/** Objects are loose, since a newer service may say more. */
const FOOD = z.looseObject({
  description: z.string(),
  kcal: figure,
  carbohydrate_g: figure,
  protein_g: figure,
  fat_g: z.string(),
});
const FOODS = {
  foods: z.array(FOOD).describe('Best first, with their figures per 100 g.'),
  more: z.boolean().describe('Whether further foods were found.'),
};

const decimal = z.string().nullable();
const WEIGHED = {
  grams: z.number().nullable(),
  kcal: decimal,
  carbohydrate_g: decimal,
  protein_g: decimal,
  fat_g: decimal,
};
const WEIGHED_FOOD = z.looseObject({
  text: z.string(),
  amount: decimal,
  description: decimal,
  ...WEIGHED,
  missing: z.array(z.string()).optional().describe('Words that name the food and that none found has.'),
  note: z.string().optional().describe('Why the weight or the food is unknown.'),
});
const TOTAL = z.looseObject({
  ...WEIGHED,
  unknown: z.number().describe('The number of foods that it leaves out.'),
});

const limit = z
  .number()
  .int()
  .min(1)
  .max(MAX_FOODS)
  .default(20)
  .describe(`At most so many foods, up to ${MAX_FOODS}.`);

const language = z
  .string()
  .max(35)
  .optional()
  .describe('Of the text and of the descriptions, where the foods are named in it: "de", "fr", "ja" …');

/** Nothing is changed, and nothing outside the data set is asked. */
const annotations = { readOnlyHint: true, openWorldHint: false };

const FIGURES = ['kcal', 'carbohydrate g', 'protein g', 'fat g'];

type Figures = Readonly<Record<'kcal' | 'carbohydrate_g' | 'protein_g' | 'fat_g', string | number | null>>;
const figuresOf = (of: Figures) => [of.kcal, of.carbohydrate_g, of.protein_g, of.fat_g];

/** The answers of the foods to one question of an assistant. */
type LookUp = ReturnType<typeof lookingUpIn>;

export function addLookups(server: McpServer, foods: Foods): void {
  const lookUp = lookingUpIn(foods);
  addSearch(server, lookUp);
  addWeights(server, lookUp);
  addNutrients(server, lookUp);
  addBarcodes(server, lookUp);
}

function addSearch(server: McpServer, lookUp: LookUp): void {
  server.registerTool(
    'search_foods',
    {
      description:
        'Finds foods by words, in any order, misspelt or by other names, the one that people mean first; for example {"text": "olive oil"}.',
      inputSchema: { text: z.string().min(1).max(500), limit, language },
      outputSchema: {
        ...FOODS,
        matchedWords: z.array(z.object({ typed: z.string(), searched: z.string() })).optional(),
        missingWords: z.array(z.string()).optional().describe('Words that the first food lacks.'),
      },
      annotations,
    },
    ({ text, limit, language }, { signal }) =>
      lookUp(signal, async (baseUrl, asked) => {
        const found = await searchFoods(baseUrl, text, { ...asked, language, match: 'words' });
        const { matchedWords, missingWords } = found;
        const notes = [
          ...(matchedWords ?? []).map(({ typed, searched }) => `“${typed}” was read as “${searched}”.`),
          ...(missingWords ?? []).map((word) => `The first food lacks “${word}”.`),
        ];
        return [
          {
            ...someOf(found, limit),
            ...(matchedWords && { matchedWords }),
            ...(missingWords && { missingWords }),
          },
          [...notes, ...linesOf(found, limit, `No food was found for “${text}”. Try fewer or other words.`)],
        ];
      }),
  );
}

function addWeights(server: McpServer, lookUp: LookUp): void {
  server.registerTool(
    'weigh_foods',
    {
      description:
        'Weighs the foods of a recipe, a meal or a diary, and adds up what they contain; for example {"lines": ["2 eggs", "100 g rice", "1 tbsp olive oil"]}.',
      inputSchema: { lines: z.array(z.string().min(1).max(500)).min(1).max(MOST_LINES), language },
      outputSchema: { foods: z.array(WEIGHED_FOOD), total: TOTAL },
      annotations,
    },
    ({ lines, language }, { signal }) =>
      lookUp(signal, async (baseUrl, asked) => {
        const weighed = await weighFoods(baseUrl, lines.join('\n'), { ...asked, language });
        const { foods, total } = weighed;
        const rows = foods.map((food) => [
          food.text,
          food.description,
          food.grams,
          ...figuresOf(food),
          food.note ?? '',
        ]);
        const left = total.unknown === 0 ? '' : `without ${total.unknown} of ${foods.length} foods`;
        const last = ['total', '', total.grams, ...figuresOf(total), left];
        return [weighed, tableOf(['text', 'food', 'g', ...FIGURES, 'note'], [...rows, last])];
      }),
  );
}

function addNutrients(server: McpServer, lookUp: LookUp): void {
  server.registerTool(
    'nutrients_of',
    {
      description:
        'Lists fibre, sugars, salt, vitamins and whatever else is known of one food, per 100 g; for example {"description": "Egg, whole, raw"}.',
      inputSchema: { description: z.string().min(1).describe('Exactly as search_foods has it.'), language },
      outputSchema: {
        nutrients: z.array(z.looseObject({ nutrient: z.string(), amount: z.string(), unit: z.string() })),
      },
      annotations,
    },
    ({ description, language }, { signal }) =>
      lookUp(signal, async (baseUrl, asked) => {
        const nutrients = await nutrientsOf(baseUrl, description, { ...asked, language });
        const rows = nutrients.map(({ nutrient, amount, unit }) => [nutrient, `${amount} ${unit}`]);
        const none = `No nutrients are known of “${description}”. Ask with a description exactly as search_foods has it.`;
        return [{ nutrients }, rows.length === 0 ? [none] : tableOf(['nutrient', 'per 100 g'], rows)];
      }),
  );
}

function addBarcodes(server: McpServer, lookUp: LookUp): void {
  server.registerTool(
    'find_barcode',
    {
      description:
        'Finds the foods with the code of a packet (EAN, UPC, GTIN); for example {"code": "4006381333931"}.',
      inputSchema: { code: z.string().min(1).max(50), limit },
      outputSchema: FOODS,
      annotations,
    },
    ({ code, limit }, { signal }) =>
      lookUp(signal, async (baseUrl, asked) => {
        const found = await findBarcode(baseUrl, code, asked);
        const none = `No food has the code “${code}”. The built-in foods have no codes: those of packets need a service with Open Food Facts or branded foods, named by FOOD_LOOKUP_URL.`;
        return [someOf(found, limit), linesOf(found, limit, none)];
      }),
  );
}

const someOf = (found: readonly FoodEntry[], limit: number) => ({
  foods: found.slice(0, limit),
  more: found.length > limit || found.length === MAX_FOODS,
});

function linesOf(found: readonly FoodEntry[], limit: number, none: string): readonly string[] {
  if (found.length === 0) return [none];
  const { foods, more } = someOf(found, limit);
  const rows = foods.map((food) => [food.description, ...figuresOf(food)]);
  return [...tableOf(['food, per 100 g', ...FIGURES], rows), ...(more ? ['There are more foods.'] : [])];
}
