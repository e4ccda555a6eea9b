/**
 * The foods on the plate, with figures for their grams, and the totals.
 */
import { NumberField } from '@base-ui/react/number-field';
import { columnDigits, computedText, Figure, localCount } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { CELL, ColumnHead, NutrientHeads, ROW, ROW_GROUP, ROW_HEADER, TABLE } from '../elements/table.tsx';
import { decimalText, parseDecimal } from '../foods/decimal.ts';
import { type Food, foodKey, NUTRIENTS, type NutrientKey } from '../foods/food.ts';
import {
  amount,
  energyShares,
  MAX_GRAMS,
  type Plate,
  type Portion,
  total,
  withGrams,
  withoutFood,
} from '../foods/plate.ts';
import { plateStore } from '../stores/page-stores.ts';
import { showNotice } from './notice.ts';
import { focusPlate } from './plate-anchor.ts';

const GRAMS_FORMAT = { maximumFractionDigits: 3 } as const;

export function PlateTable({ plate }: { readonly plate: Plate }) {
  const shares = energyShares(plate);
  const totals = NUTRIENTS.map(({ key, name }) => {
    const { sum, unknown } = total(plate, key);
    return { key, name, text: computedText(sum), unknown };
  });
  const rows = plate.map((portion) => NUTRIENTS.map(({ key }) => amountText(portion, key)));
  const digits = totals.map(({ text }, column) =>
    columnDigits([text, ...rows.map((row) => row[column] ?? null)]),
  );
  return (
    <>
      <table className="portions" data-many={plate.length > 30 || undefined} {...TABLE}>
        <caption className="unseen">Foods on the plate, with figures for the grams given</caption>
        <PlateHead />
        <tbody {...ROW_GROUP}>
          {plate.map((portion, index) => (
            <PortionRow
              key={foodKey(portion.food)}
              portion={portion}
              figures={rows[index] ?? []}
              digits={digits}
              share={shares[index] ?? null}
            />
          ))}
        </tbody>
        <tfoot {...ROW_GROUP}>
          <tr {...ROW}>
            <th scope="row" {...ROW_HEADER}>
              Total
            </th>
            <td {...CELL} />
            {totals.map(({ key, text, unknown }, column) => (
              <td key={key} className={unknown > 0 ? 'incomplete' : undefined} {...CELL}>
                <Figure text={text} digits={digits[column] ?? 0} />
              </td>
            ))}
            <td {...CELL} />
            <td {...CELL} />
          </tr>
        </tfoot>
      </table>
      <UnknownNote totals={totals} count={plate.length} />
    </>
  );
}

function PlateHead() {
  return (
    <thead {...ROW_GROUP}>
      <tr {...ROW}>
        <ColumnHead>
          <span className="wide-only">Food</span>
        </ColumnHead>
        <ColumnHead>
          Amount <small>g</small>
        </ColumnHead>
        <NutrientHeads />
        <ColumnHead>
          Share <small>of kcal</small>
        </ColumnHead>
        <ColumnHead>
          <span className="unseen">Remove</span>
        </ColumnHead>
      </tr>
    </thead>
  );
}

interface NoteProps {
  readonly totals: readonly { readonly name: string; readonly unknown: number }[];
  readonly count: number;
}

function UnknownNote({ totals, count }: NoteProps) {
  const sentences = totals
    .filter(({ unknown }) => unknown > 0)
    .map(
      ({ name, unknown }) =>
        `${name}: not known for ${localCount(unknown)} of ${localCount(count)} foods, so the total excludes ${unknown === 1 ? 'it' : 'them'}.`,
    );
  if (sentences.length === 0) return null;
  return (
    <p className="note">
      <span aria-hidden="true">* </span>
      {sentences.join(' ')}
    </p>
  );
}

interface RowProps {
  readonly portion: Portion;
  readonly figures: readonly (string | null)[];
  readonly digits: readonly number[];
  readonly share: number | null;
}

function PortionRow({ portion: { food, grams }, figures, digits, share }: RowProps) {
  return (
    <tr {...ROW}>
      <th scope="row" {...ROW_HEADER}>
        {food.description}
      </th>
      <td className="grams" {...CELL}>
        <GramsField food={food} grams={grams} />
      </td>
      {NUTRIENTS.map(({ key }, column) => (
        <td key={key} {...CELL}>
          <Figure text={figures[column] ?? null} digits={digits[column] ?? 0} />
        </td>
      ))}
      <td className="share" {...CELL}>
        {share === null ? (
          <span className="unseen">not known</span>
        ) : (
          <>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect className="rest" width="100" height="4" />
              <rect width={share} height="4" />
            </svg>
            <span className="unseen">Share of the energy: </span>
            {localCount(share)} % <span>of kcal</span>
          </>
        )}
      </td>
      <td className="remove" {...CELL}>
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove ${food.description}`}
          onClick={() => remove(food)}
        >
          <Icon name="cross" />
        </button>
      </td>
    </tr>
  );
}

function GramsField({ food, grams }: Portion) {
  return (
    <NumberField.Root
      value={grams === null ? null : Number(grams)}
      onValueChange={(value) => plateStore.set(withGrams(plateStore.get(), food, gramsText(value)))}
      min={0}
      max={MAX_GRAMS}
      step={1}
      largeStep={10}
      format={GRAMS_FORMAT}
    >
      <NumberField.Input className="grams-input" aria-label={`Grams of ${food.description}`} />
    </NumberField.Root>
  );
}

function gramsText(value: number | null): string | null {
  const decimal = value === null || value < 0 ? undefined : parseDecimal(String(value));
  return decimal === undefined ? null : decimalText(decimal);
}

function amountText(portion: Portion, key: NutrientKey): string | null {
  const figure = amount(portion, key);
  return figure === null ? null : computedText(figure);
}

function remove(food: Food): void {
  const before = plateStore.get();
  plateStore.set(withoutFood(before, food));
  focusPlate();
  showNotice({ text: `${food.description}: removed from the plate.`, before });
}
