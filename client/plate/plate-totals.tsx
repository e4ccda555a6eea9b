/**
 * The totals of the plate, and where its energy comes from.
 */
import { exactText, foodCount, percentText, totalText } from '../elements/figure.ts';
import { type EnergyPart, energyParts, type Plate, totals } from '../foods/plate.ts';

export function PlateTotals({ plate }: { readonly plate: Plate }) {
  const parts = energyParts(plate);
  const [energy, ...macros] = totals(plate).map((total) => ({
    ...total,
    shown: totalText(total),
    exact: exactText(total.sum.toFixed(), total),
    part: parts?.find(({ source }) => source === total.key),
  }));
  const other = parts?.find(({ source }) => source === 'other');
  return (
    <section className="totals" aria-label="Totals">
      <EnergyRing parts={parts ?? []} />
      <p className="total-energy" title={energy?.exact}>
        <strong>{energy?.shown}</strong> kcal <span>{foodCount(plate.length)}</span>
      </p>
      <dl className="macros">
        {macros.map(({ key, name, shown, exact, part }) => (
          <div key={key} className={key}>
            <dt>{name}</dt>
            <dd title={exact}>
              <strong>{shown}</strong> g {part !== undefined && <small>{percentText(part)} of kcal</small>}
            </dd>
          </div>
        ))}
        {other !== undefined && (
          <div className="other">
            <dt>Other</dt>
            <dd>
              <small>{percentText(other)} of kcal</small>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Percent of the ring between two parts. */
const GAP = 2;

/** The list beside it says the same. */
export function EnergyRing({ parts }: { readonly parts: readonly EnergyPart[] }) {
  const drawn = parts.filter(({ percent }) => percent > 0);
  const gap = drawn.length > 1 ? GAP : 0;
  let start = 0;
  return (
    <svg className="ring" viewBox="0 0 64 64" aria-hidden="true">
      <circle className="track" cx="32" cy="32" r="26" />
      {drawn.map(({ source, percent }) => {
        const offset = -start;
        start += percent;
        const length = Math.max(percent - gap, 0.5);
        return (
          <circle
            key={source}
            className={source}
            cx="32"
            cy="32"
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
