/**
 * The foods on the plate: name and energy on the first line, amount and the other figures on the second.
 */
import { Icon } from '../elements/icon.tsx';
import { CELL, ColumnHead, FigureCell, ROW, ROW_GROUP, ROW_HEADER, TABLE } from '../elements/table.tsx';
import { type Food, foodKey, NUTRIENTS } from '../foods/food.ts';
import { exclusions, figureOf, type Item, type Plate } from '../foods/plate.ts';
import { removeFromPlate } from '../stores/page-stores.ts';
import { ItemAmount } from './item-amount.tsx';
import { focusPlate, useLight } from './plate-place.ts';

export function PlateTable({ plate }: { readonly plate: Plate }) {
  const body = useLight<HTMLTableSectionElement>(
    (element, key) => element.rows[plate.findIndex(({ food }) => foodKey(food) === key)],
  );
  const excluded = exclusions(plate);
  return (
    <>
      <table className="portions" data-many={plate.length > 30 || undefined} {...TABLE}>
        <caption className="unseen">Foods on the plate, with figures for the amounts given</caption>
        <thead className="unseen" {...ROW_GROUP}>
          <tr {...ROW}>
            <ColumnHead>Food</ColumnHead>
            <ColumnHead>Amount</ColumnHead>
            {NUTRIENTS.map(({ key, shortName, unit }) => (
              <ColumnHead key={key}>
                {shortName} <small>{unit}</small>
              </ColumnHead>
            ))}
            <ColumnHead>
              <span className="unseen">Remove</span>
            </ColumnHead>
          </tr>
        </thead>
        <tbody ref={body} {...ROW_GROUP}>
          {plate.map((item) => (
            <ItemRow key={foodKey(item.food)} item={item} />
          ))}
        </tbody>
      </table>
      <div className="notes">
        {excluded !== '' && <p className="note">* The totals exclude unknown figures: {excluded}.</p>}
        <p className="method">
          Percentages of energy are estimated: 4 kcal per g of protein and carbohydrate, 9 per g of fat. Other
          is energy that these do not explain, such as alcohol.
        </p>
      </div>
    </>
  );
}

function ItemRow({ item }: { readonly item: Item }) {
  const { food } = item;
  return (
    <tr {...ROW}>
      <th scope="row" {...ROW_HEADER}>
        {food.description}
      </th>
      <td className="amount-cell" {...CELL}>
        <ItemAmount item={item} />
      </td>
      {NUTRIENTS.map((nutrient) => (
        <FigureCell key={nutrient.key} figure={figureOf(item, nutrient.key)} nutrient={nutrient} />
      ))}
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

function remove(food: Food): void {
  removeFromPlate(food);
  focusPlate();
}
