/** The plate: its totals, its foods, and ways to share it. On narrow screens a bar opens it and keeps its energy visible. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Announcer, announce, announceAtRest } from '../elements/announcer.tsx';
import { exactText, percentText, shownText, totalText, useIsSeen } from '../elements/figure.tsx';
import { Icon } from '../elements/icon.tsx';
import { type NutrientTotal, nutrientTotals } from '../foods/label.ts';
import { type EnergyPart, energyParts, type Plate, totals } from '../foods/plate.ts';
import { useNutrients } from '../service/service.ts';
import {
  type Change,
  changesStore,
  isMakes,
  MOST_MADE,
  makesStore,
  plateStore,
  storedStore,
  undo,
  useStore,
} from '../stores/page-stores.ts';
import { LOCALE } from '../texts/language.ts';
import { parts, t, translated } from '../texts/texts.ts';
import { BAR_ID, closeSheet, HEADING_ID, showPlate, thenFocusPlate, usePlace } from './plate-place.ts';
import { PlateTable } from './plate-table.tsx';
import { type KnownPlate, PlateToolbar } from './plate-toolbar.tsx';

export function PlatePanel() {
  usePlace();
  // For the date on paper.
  const [, render] = useState<Event>();
  useEffect(() => window.addEventListener('beforeprint', render), []);
  const plate = useStore(plateStore);
  const place = useRef<HTMLDialogElement>(null);
  const foods = plate.map(({ food }) => food);
  const nutrients = useNutrients(foods, useIsSeen(place, plate.length > 0)) ?? [];
  const change = useStore(changesStore).at(-1);
  useEffect(() => {
    if (change?.key !== undefined) announceAtRest(change.text);
    else if (change !== undefined) announce(change.text);
  }, [change]);
  return (
    <>
      <dialog className="plate" ref={place} aria-labelledby={HEADING_ID}>
        <div className="plate-head">
          <h2 id={HEADING_ID} tabIndex={-1}>
            {t('plate')}
          </h2>
          <p className="printed-date">{new Date().toLocaleDateString(LOCALE, { dateStyle: 'long' })}</p>
          <button
            type="button"
            className="icon-button close"
            aria-label={t('closePlate')}
            onClick={closeSheet}
          >
            <Icon name="cross" />
          </button>
          {plate.length > 0 && <PlateTotals plate={plate} nutrients={nutrients} />}
        </div>
        <div className="plate-list">
          {plate.length > 0 ? (
            <PlateTable plate={plate} />
          ) : (
            <div className="empty-plate">
              <EnergyRing parts={[]} />
              <p>
                <strong>{t('emptyPlate')}</strong> {t('emptyPlateText')}
              </p>
            </div>
          )}
        </div>
        <NoticeBar />
        {plate.length > 0 && <PlateToolbar plate={plate} nutrients={nutrients} />}
        {/* An open sheet hides the rest of the page from screen readers, including the other announcer. */}
        <Announcer />
      </dialog>
      <PlateBar plate={plate} />
    </>
  );
}

/** Whether the plate is stored; its last change, and a way to undo it. */
function NoticeBar() {
  const isStored = useStore(storedStore);
  const change = useStore(changesStore).at(-1);
  return (
    <>
      {!isStored && (
        <p className="notice" role="alert">
          <span>{t('notStored')}</span>
        </p>
      )}
      {change !== undefined && <Notice change={change} />}
    </>
  );
}

function Notice({ change }: { readonly change: Change }) {
  return (
    <p className="notice">
      <span>{change.text}</span>
      {change.before !== undefined && (
        <button type="button" className="quiet-button" onClick={restore}>
          {t('undo')}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t('close')} onClick={dismiss}>
        <Icon name="cross" />
      </button>
    </p>
  );
}

const restore = thenFocusPlate(() => {
  undo();
  announce(t('restored'));
});

const dismiss = thenFocusPlate(() => changesStore.set([]));

function PlateBar({ plate }: { readonly plate: Plate }) {
  const changes = useStore(changesStore);
  const makes = useStore(makesStore);
  if (plate.length === 0 && changes.length === 0) return null;
  const [energy] = totals(plate, makes);
  return (
    <nav className="plate-bar" aria-label={t('plate')}>
      <NoticeBar />
      <button type="button" id={BAR_ID} className="bar-button" aria-haspopup="dialog" onClick={showPlate}>
        <span className="unseen">{t('showPlate', { foods: t('foods', { count: plate.length }) })}, </span>
        <span aria-hidden="true">
          {t('plate')} · <b>{plate.length}</b>
        </span>
        {energy && (
          <span className="bar-figure">
            <b>{totalText(energy)}</b> kcal{makes > 1 && ` ${t('perPortion')}`}
          </span>
        )}
        <Icon name="up" />
      </button>
    </nav>
  );
}

function PlateTotals({ plate, nutrients }: KnownPlate) {
  const makes = useStore(makesStore);
  const energies = energyParts(plate);
  const [energy, ...macros] = totals(plate, makes).map((total) => ({
    ...total,
    shown: totalText(total),
    exact: exactText(total.sum.toFixed(), total),
    part: energies?.find(({ source }) => source === total.key),
  }));
  const other = energies?.find(({ source }) => source === 'other');
  return (
    <section className="totals" aria-label={t('total')}>
      <EnergyRing parts={energies ?? []} />
      <p className="total-energy" title={energy?.exact}>
        <strong>{energy?.shown}</strong> kcal{makes > 1 && ` ${t('perPortion')}`}
      </p>
      <p className="makes">
        {t('foods', { count: plate.length })}
        <label className={makes === 1 ? 'single' : undefined} htmlFor={MAKES_ID}>
          {parts('makes', { number: <MakesField makes={makes} /> }, makes)}
        </label>
      </p>
      <dl className="macros">
        {macros.map(({ key, name, shown, exact, part }) => (
          <div key={key} style={colourOf(key)}>
            <dt>{t(name)}</dt>
            <dd title={exact}>
              <strong>{shown}</strong> g{' '}
              {part !== undefined && <small>{t('ofEnergy', { percent: percentText(part) })}</small>}
            </dd>
          </div>
        ))}
        {other !== undefined && (
          <div style={colourOf('other')}>
            <dt>{t('other')}</dt>
            <dd>
              <small>{t('ofEnergy', { percent: percentText(other) })}</small>
            </dd>
          </div>
        )}
      </dl>
      <NutrientTotals plate={plate} totals={nutrientTotals(plate, nutrients, makes)} />
    </section>
  );
}

const MAKES_ID = 'makes';

/** A number that is no number of portions changes nothing, and is gone when the field is left. */
const MakesField = ({ makes }: { readonly makes: number }) => (
  <input
    id={MAKES_ID}
    type="number"
    min="1"
    max={MOST_MADE}
    inputMode="numeric"
    value={makes}
    onInput={({ currentTarget: { valueAsNumber } }) =>
      isMakes(valueAsNumber) && makesStore.set(valueAsNumber)
    }
    onBlur={({ currentTarget }) => {
      currentTarget.value = String(makes);
    }}
  />
);

interface FurtherTotals {
  readonly plate: Plate;
  readonly totals: readonly NutrientTotal[];
}

/** What labels have beside the figures; of a total that not all foods know, how many do. */
function NutrientTotals({ plate, totals: further }: FurtherTotals) {
  if (further.length === 0) return null;
  return (
    <dl className="further">
      {further.map(({ name, unit, sum, known }) => (
        <div key={name}>
          <dt>{translated(name)}</dt>
          <dd title={`${sum.toFixed()} ${unit}`}>
            {shownText(sum.toFixed(), { digits: unit === 'g' ? 1 : 0 })} {unit}
            {known < plate.length && <small>{t('knownIn', { known, count: plate.length })}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const colourOf = (source: EnergyPart['source'] | 'kcal') => ({ '--part': `var(--${source})` });

/** Percent of the ring between two parts. */
const GAP = 2;

/** The list beside it says the same. */
function EnergyRing({ parts }: { readonly parts: readonly EnergyPart[] }) {
  const drawn = parts.filter(({ percent }) => percent > 0);
  const gap = drawn.length > 1 ? GAP : 0;
  let start = 0;
  return (
    <svg className="ring" viewBox="-32 -32 64 64" aria-hidden="true">
      <circle className="track" r="26" />
      {drawn.map(({ source, percent }) => {
        const offset = -start;
        start += percent;
        const length = Math.max(percent - gap, 0.5);
        return (
          <circle
            key={source}
            style={colourOf(source)}
            r="26"
            pathLength="100"
            stroke-dasharray={`${length} ${100 - length}`}
            stroke-dashoffset={offset}
          />
        );
      })}
    </svg>
  );
}
