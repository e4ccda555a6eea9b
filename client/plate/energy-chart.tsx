/**
 * Where the energy comes from, as a ring and as a list.
 */
import { Pie } from '@visx/shape';
import { computedText, localCount, localText } from '../elements/figure.tsx';
import { NUTRIENTS } from '../foods/food.ts';
import { type EnergyPart, energyParts, type Plate, total } from '../foods/plate.ts';

const SIZE = 136;
const RING = 16;

const nameOf = (part: EnergyPart): string => NUTRIENTS.find(({ key }) => key === part.source)?.name ?? '';

export function EnergyChart({ plate }: { readonly plate: Plate }) {
  const parts = energyParts(plate);
  const { sum, unknown } = total(plate, 'kcal');
  return (
    <figure className="energy">
      <div className="ring">
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
          <circle className="track" cx={SIZE / 2} cy={SIZE / 2} r={(SIZE - RING) / 2} strokeWidth={RING} />
          {parts !== undefined && <Ring parts={parts} />}
        </svg>
        <p className="ring-total">
          <strong>{localText(computedText(sum))}</strong> kcal{unknown > 0 ? '*' : ''}
        </p>
      </div>
      <figcaption>
        <h3>Where the energy comes from</h3>
        {parts === undefined ? (
          <p>No protein, fat or carbohydrate is known.</p>
        ) : (
          <ul>
            {parts.map((part) => (
              <li key={part.source} className={part.source}>
                <span>{nameOf(part)}</span> <b>{localCount(part.percent)} %</b>
              </li>
            ))}
          </ul>
        )}
        <p className="method">Estimated: 4 kcal per g of protein and carbohydrate, 9 per g of fat.</p>
      </figcaption>
    </figure>
  );
}

function Ring({ parts }: { readonly parts: readonly EnergyPart[] }) {
  return (
    <g transform={`translate(${SIZE / 2} ${SIZE / 2})`}>
      <Pie
        data={parts.filter(({ percent }) => percent > 0)}
        pieValue={({ percent }) => percent}
        pieSortValues={null}
        outerRadius={SIZE / 2}
        innerRadius={SIZE / 2 - RING}
        padAngle={parts.some(({ percent }) => percent === 100) ? 0 : 0.035}
        cornerRadius={2}
      >
        {({ arcs, path }) =>
          arcs.map((arc) => <path key={arc.data.source} className={arc.data.source} d={path(arc) ?? ''} />)
        }
      </Pie>
    </g>
  );
}
