/**
 * Amounts as people write them: a text into foods with their amounts, and an amount of a food into grams, or why not. Pure; the
 * page, the route and the command use it alike.
 *
 *     const words = readWords(textOfDataAmounts);
 *     readText('2 x 400g tins chopped tomatoes', words)
 *     // [{ text: '2 x 400g tins chopped tomatoes', food: 'chopped tomatoes', searches: ['canned chopped tomatoes', …], amount }]
 *     amountText(amount) // '2 × 400 g'
 *     weigh(amount, { description: 'Tomatoes, canned', portions }, words, text) // { grams: '800' }
 */

export { amountText } from './amount.ts';
export { findFood } from './foods.ts';
export { fractionText, ofDecimal } from './fraction.ts';
export { solidsOf } from './had-words.ts';
export { type Reading, readText, readWords } from './reading.ts';
export {
  MOST_READ,
  renderWeighedFoods,
  type WeighedFoods,
  weighFoods,
} from './weighed-foods.ts';
export { needsPortions, weigh } from './weighing.ts';
export { wordsIn } from './word-forms.ts';
export type { Words } from './words.ts';
