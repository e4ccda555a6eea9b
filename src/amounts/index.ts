/**
 * Amounts as people write them: a text into foods with their amounts, and an amount of a food into grams, or why not. Pure; the
 * page, the route and the command use it alike.
 *
 *     const words = readWords(textOfDataAmounts);
 *     readText('2 x 400g tins chopped tomatoes', words)
 *     // [{ text: '2 x 400g tins chopped tomatoes', food: 'tomatoes', searches: ['chopped tomatoes', 'tomatoes'], amount }]
 *     amountText(amount) // '2 × 400 g'
 *     weigh(amount, 'Tomatoes, canned', portions) // { grams: '800' }
 */

export { type Amount, amountText, type Quantity, type Unit } from './amount.ts';
export { type Found, findFood, type LookedUp } from './foods.ts';
export { decimalOf, type Fraction } from './fraction.ts';
export { type Reading, readText, readWords } from './reading.ts';
export type { DecimalMark } from './tokens.ts';
export { needsPortions, type Weighed, weigh } from './weighing.ts';
export type { Words } from './words.ts';
