/** An amount as it was read: exact numbers, and what they count. */
import { type Fraction, fractionText, isEqual, ONE } from './fraction.ts';

/** What a number counts. */
export interface Unit {
  /** Grams, millilitres, or pieces of a food. */
  readonly kind: 'g' | 'ml' | 'piece';
  /** As it is shown: "g", "tbsp", "cup", "medium", "Bund"; empty for the food's own piece, as in "2 eggs". */
  readonly name: string;
  /** The grams or millilitres of one; 0 for a piece. */
  readonly size: Fraction;
  /** The same piece in the words of portions, its size first: "slice" for "Scheibe", "large clove"; empty for other kinds. */
  readonly piece: string;
}

/** `times × least–most unit`: "2 × 400 g", "2–3 tsp". */
export interface Quantity {
  readonly times: Fraction;
  readonly least: Fraction;
  /** Of a range the other end, else equal to `least`. */
  readonly most: Fraction;
  readonly unit: Unit;
}

export interface Amount {
  /** A sum, as "1 lb 4 oz"; never empty. */
  readonly parts: readonly Quantity[];
  /** Why the weight cannot be known, in one sentence, if the text can be read in two ways that differ. */
  readonly doubt?: string | undefined;
}

const quantityText = ({ times, least, most, unit }: Quantity): string => {
  const number = fractionText(least) + (isEqual(least, most) ? '' : `–${fractionText(most)}`);
  const factor = isEqual(times, ONE) ? '' : `${fractionText(times)} × `;
  return `${factor}${number} ${unit.name}`.trimEnd();
};

/** "2 × 400 g", "3½ dl", "2–3 tsp", "1 lb + 4 oz", "2 medium", "1 Bund", "2". Read again, it is the same amount. */
export const amountText = ({ parts }: Amount): string => parts.map(quantityText).join(' + ');
