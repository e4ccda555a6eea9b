/** Exact decimals for sums of figures; quotients have 20 digits. In binary floating point 0.1 + 0.2 is not 0.3. */
import { scaleDecimal } from '#core';

const QUOTIENT_DIGITS = 20;

type Value = Decimal | string | number;

export class Decimal {
  /** The value is `units / 10^scale`. */
  readonly #units: bigint;
  readonly #scale: number;

  /** @param value a decimal, with or without an exponent */
  constructor(value: Value | readonly [units: bigint, scale: number]) {
    if (value instanceof Decimal) [this.#units, this.#scale] = [value.#units, value.#scale];
    else if (typeof value === 'object') [this.#units, this.#scale] = value;
    else {
      const [digits = '', exponent = '0'] = String(value).split('e');
      const [whole = '', fraction = ''] = digits.split('.');
      const scale = fraction.length - Number(exponent);
      this.#units = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -scale));
      this.#scale = Math.max(0, scale);
    }
  }

  get #below(): bigint {
    return 10n ** BigInt(this.#scale);
  }

  #at(scale: number): bigint {
    return this.#units * 10n ** BigInt(scale - this.#scale);
  }

  plus(other: Value): Decimal {
    const added = new Decimal(other);
    const scale = Math.max(this.#scale, added.#scale);
    return new Decimal([this.#at(scale) + added.#at(scale), scale]);
  }

  minus(other: Value): Decimal {
    return this.plus(new Decimal(other).times(-1));
  }

  times(other: Value): Decimal {
    const factor = new Decimal(other);
    return new Decimal([this.#units * factor.#units, this.#scale + factor.#scale]);
  }

  /** @param other above 0 */
  div(other: Value): Decimal {
    const divisor = new Decimal(other);
    const [above, below] = [this.#units * 10n ** BigInt(divisor.#scale), divisor.#units * this.#below];
    return new Decimal(scaleDecimal('1', above, below, QUOTIENT_DIGITS));
  }

  /** Half away from zero. */
  round(digits = 0): Decimal {
    return new Decimal(scaleDecimal('1', this.#units, this.#below, digits));
  }

  #compare(other: Value): number {
    const units = this.minus(other).#units;
    return Number(units > 0n) - Number(units < 0n);
  }

  gt(other: Value): boolean {
    return this.#compare(other) > 0;
  }
  gte(other: Value): boolean {
    return this.#compare(other) >= 0;
  }
  lt(other: Value): boolean {
    return this.#compare(other) < 0;
  }

  lte(other: Value): boolean {
    return this.#compare(other) <= 0;
  }
  eq(other: Value): boolean {
    return this.#compare(other) === 0;
  }

  /** Every digit, without superfluous zeros. */
  toFixed(): string {
    return scaleDecimal('1', this.#units, this.#below, this.#scale);
  }

  toNumber(): number {
    return Number(this.toFixed());
  }
}
