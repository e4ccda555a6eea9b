/**
 * The foods on the plate: name and energy on the first line, amount and the other figures on the second. The amount is a field
 * and a list of grams and the portions of the food. The field is read as the search box: "2", "½", "30 g", "0.25 kg", "2 slices".
 * What cannot be read is refused below.
 */

import { Big } from 'big.js';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ColumnHead, FigureCell, localText, role, useIsSeen } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import {
  type Amount,
  countText,
  GRAMS,
  inUnit,
  isAmount,
  isGrams,
  MAX_GRAMS,
  portionText,
  type Unit,
  weightText,
} from '../foods/amount.ts';
import { foodKey, NUTRIENTS, nameOf } from '../foods/food.ts';
import { exclusions, figureOf, type Item, type Plate } from '../foods/plate.ts';
import { readCount, readTyped, weighReading } from '../foods/typed-amount.ts';
import { openLabel } from '../label/food-label.tsx';
import { wordsFor, wordsStore } from '../service/amount-words.ts';
import { dataSetStore, originalOf, usePortions } from '../service/service.ts';
import { removeFromPlate, setAmount, useStore } from '../stores/page-stores.ts';
import { LANGUAGE } from '../texts/language.ts';
import { t } from '../texts/texts.ts';
import { returnToSearch, thenFocusPlate } from './plate-place.ts';

export function PlateTable({ plate }: { readonly plate: Plate }) {
  const excluded = exclusions(plate);
  return (
    <>
      <table className="portions" data-many={plate.length > 30 || undefined} {...role('table')}>
        <caption className="unseen">{t('onThePlate')}</caption>
        <thead className="unseen" {...role('rowgroup')}>
          <tr {...role('row')}>
            <ColumnHead>{t('food')}</ColumnHead>
            <ColumnHead>{t('amount')}</ColumnHead>
            {NUTRIENTS.map(({ key, shortName, unit }) => (
              <ColumnHead key={key}>
                {t(shortName)} <small>{unit}</small>
              </ColumnHead>
            ))}
            <ColumnHead>
              <span className="unseen">{t('remove', { food: t('food') })}</span>
            </ColumnHead>
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {plate.map((item) => (
            <ItemRow key={foodKey(item.food)} item={item} />
          ))}
        </tbody>
      </table>
      <div className="notes">
        {excluded !== '' && <p className="note">{t('excluded', { excluded })}</p>}
        <p className="method">{t('method')}</p>
      </div>
    </>
  );
}

function ItemRow({ item }: { readonly item: Item }) {
  const { food } = item;
  const hasLabel = useStore(dataSetStore)?.hasNutrients;
  return (
    <tr {...role('row')}>
      <th scope="row" lang={food.language} {...role('rowheader')}>
        {hasLabel ? (
          <button
            type="button"
            className="name-button"
            aria-haspopup="dialog"
            aria-label={`${t('label')}: ${nameOf(food)}`}
            onClick={() => openLabel(food, item)}
          >
            {nameOf(food)}
          </button>
        ) : (
          nameOf(food)
        )}
      </th>
      <td className="amount-cell" {...role('cell')}>
        <ItemAmount item={item} />
      </td>
      {NUTRIENTS.map((nutrient) => (
        <FigureCell key={nutrient.key} figure={figureOf(item, nutrient.key)} nutrient={nutrient} />
      ))}
      <td className="remove" {...role('cell')}>
        <button
          type="button"
          className="icon-button"
          aria-label={t('remove', { food: nameOf(food) })}
          onClick={thenFocusPlate(() => removeFromPlate(food))}
        >
          <Icon name="cross" />
        </button>
      </td>
    </tr>
  );
}

function ItemAmount({ item }: { readonly item: Item }) {
  const { food, count, unit } = item;
  const place = useRef<HTMLSpanElement>(null);
  const portions = usePortions(food, useIsSeen(place)) ?? [];
  // The typed text and its amount: another amount, from elsewhere, replaces the text.
  const [draft, setDraft] = useState<{ readonly text: string; readonly amount: Amount }>();
  const refusalId = useId();
  const isDraft = draft?.amount.count === count && draft.amount.unit.portion === unit.portion;
  const typed = isDraft ? draft.text : localText(countText(item));
  const isRefused = count === null && typed.trim() !== '';
  useStore(wordsStore);

  const type = (text: string) => {
    void wordsFor(text);
    const amount = amountIn(text, item, portions) ?? { count: null, unit };
    setDraft({ text, amount });
    setAmount(food, amount);
  };
  useEffect(() => {
    // It may name one of the portions that have just arrived, or its words may have.
    if (isRefused && amountIn(typed, item, portions)) type(typed);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = STEPS[event.key];
    if (event.key === 'Enter' && !isRefused) returnToSearch();
    else if (step === undefined) return;
    else {
      const stepped = {
        count: new Big(count ?? 0).plus(event.shiftKey ? 10 * step : step).toFixed(),
        unit,
      };
      if (isAmount(stepped)) setAmount(food, stepped);
    }
    event.preventDefault();
  };
  return (
    <span className="amount-field">
      <input
        className="amount-input"
        // Where its size cannot follow its content.
        size={5}
        inputMode="decimal"
        enterkeyhint="done"
        autoComplete="off"
        aria-label={t('amountOf', { food: nameOf(food) })}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? refusalId : undefined}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onMouseDown={selectAtFirst}
        onBlur={() => !isRefused && setDraft(undefined)}
        onKeyDown={onKeyDown}
      />
      <span className="unit" ref={place}>
        <UnitList item={item} portions={portions} />
      </span>
      {!isGrams(unit) && <span className="weight">{weightText(item)} g</span>}
      {isRefused && (
        <span className="refusal" id={refusalId} role="alert">
          {t('notAnAmount', { example: examplesFor(item, portions), most: MAX_GRAMS / 1000 })}
        </span>
      )}
    </span>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** A portion among them, if it can be typed. */
function examplesFor(item: Item, portions: readonly Unit[]): string {
  const counts = portions.map((unit) => countText({ count: '2', unit }));
  const portion = counts.find((text) => amountIn(text, item, portions));
  const examples = ['½', localText('12.5 g'), portion].filter((text) => text !== undefined);
  return new Intl.ListFormat(LANGUAGE, { type: 'disjunction' }).format(examples);
}

/** The amount of this food in a typed text; undefined if the food has no portion for it. */
function amountIn(text: string, { food, unit }: Item, portions: readonly Unit[]): Amount | undefined {
  // Of "2 slices, regular" people change the number.
  const [, number = '', rest = ''] = /^([\d\s.,/⁄¼-¾⅐-⅞]+)(.*)$/u.exec(text) ?? [];
  const names = ['1', '2'].map((count) => countText({ count, unit }).slice(2));
  if (number !== '' && ['', ...names].includes(rest.trim())) {
    const amount = { count: readCount(number.trim()), unit };
    return isAmount(amount) ? amount : undefined;
  }
  const [reading, ...others] = readTyped(text);
  if (reading?.food !== '' || others.length > 0 || /^\s*[-−]/.test(text)) return undefined;
  const { amount } = weighReading(reading, originalOf(food), [...portions, unit]);
  return amount.count === null ? undefined : amount;
}

/** The first click selects the amount, so that typing replaces it; the next one places the caret. */
function selectAtFirst(event: MouseEvent): void {
  const { currentTarget: field } = event;
  if (event.button !== 0 || !(field instanceof HTMLInputElement) || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
  field.select();
}

/** The browser's list lies invisibly over the icon, because by itself it would be as wide as its longest portion. */
function UnitList({ item, portions }: { readonly item: Item; readonly portions: readonly Unit[] }) {
  const { food, unit } = item;
  // The data set may no longer have the chosen portion.
  const units = new Map([GRAMS, ...portions, unit].map((each) => [unitText(each), each]));
  if (units.size === 1) return null;
  return (
    <>
      <Icon name="down" />
      <select
        aria-label={t('unitOf', { food: nameOf(food) })}
        value={unitText(unit)}
        onChange={({ currentTarget }) =>
          setAmount(food, inUnit(item, units.get(currentTarget.value) ?? unit))
        }
      >
        {Array.from(units.keys(), (text) => (
          <option key={text}>{text}</option>
        ))}
      </select>
    </>
  );
}

const unitText = (unit: Unit): string =>
  isGrams(unit) ? unit.portion : `${portionText(unit.portion)} (${weightText({ count: '1', unit })} g)`;
