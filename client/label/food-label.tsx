/** The label of a food, for the amount with which it was opened: a sheet over the page, which Escape or a tap beside it closes. */
import { atom } from 'nanostores';
import { useEffect, useRef } from 'preact/hooks';
import { Announcer } from '../elements/announcer.tsx';
import { Icon } from '../elements/icon.tsx';
import { type Amount, amountText, labelText, weightText } from '../foods/amount.ts';
import { type Food, nameOf } from '../foods/food.ts';
import { type LabelLine, labelOf } from '../foods/label.ts';
import { labelRows } from '../plate/plate-link.ts';
import { copyTable, Toolbar } from '../plate/plate-toolbar.tsx';
import { UNANSWERED, useNutrients } from '../service/service.ts';
import { useStore } from '../stores/page-stores.ts';
import { languageOf, t, translated } from '../texts/texts.ts';

interface Opened {
  readonly food: Food;
  readonly amount: Amount;
}

const openedStore = atom<Opened | undefined>(undefined);

export const openLabel = (food: Food, amount: Amount): void => openedStore.set({ food, amount });

const HEADING_ID = 'label';

export function FoodLabel() {
  const opened = useStore(openedStore);
  return opened && <LabelSheet {...opened} />;
}

function LabelSheet({ food, amount }: Opened) {
  const sheet = useRef<HTMLDialogElement>(null);
  const [nutrients] = useNutrients([food], true) ?? [];
  useEffect(() => sheet.current?.showModal(), []);
  const close = () => sheet.current?.close();
  const lines = labelOf(food, amount, nutrients ?? []);
  return (
    <dialog
      className="label"
      ref={sheet}
      aria-labelledby={HEADING_ID}
      onClose={() => openedStore.set(undefined)}
      // A tap beside it closes it, where the browser knows this.
      {...{ closedby: 'any' }}
    >
      <div className="label-page" aria-busy={nutrients === undefined}>
        <div className="label-head">
          <h2 id={HEADING_ID} lang={food.language}>
            {nameOf(food)}
          </h2>
          <button type="button" className="icon-button close" aria-label={t('close')} onClick={close}>
            <Icon name="cross" />
          </button>
          <p title={amountText(amount)}>{amountText(amount, weightText(amount)) || t('noAmount')}</p>
        </div>
        <dl>
          {lines.map((line) => (
            <Line key={line.name} line={line} />
          ))}
        </dl>
        {nutrients?.length === 0 && nutrients !== UNANSWERED && (
          <p className="label-note">{t('nothingElse')}</p>
        )}
      </div>
      <Toolbar
        name={t('label')}
        acts={[
          ['copyTable', 'copy', () => copyTable(labelRows(food, amount, lines))],
          ['print', 'print', () => window.print()],
        ]}
      />
      <Announcer />
    </dialog>
  );
}

function Line({ line: { name, isPart, figures } }: { readonly line: LabelLine }) {
  return (
    <div className={isPart ? 'part' : undefined}>
      <dt lang={languageOf(name)}>
        {isPart && <span className="unseen">{t('ofWhich')} </span>}
        {translated(name)}
      </dt>
      <dd>
        {figures.map(([amount, unit], i) => (
          <span key={unit} title={amount ? `${amount.toFixed()} ${unit}` : undefined}>
            {i > 0 && ' / '}
            {amount === null ? (
              <span className="unseen">{t('notKnown')}</span>
            ) : (
              `${labelText(amount)} ${unit}`
            )}
            {amount === null && <span aria-hidden="true">–</span>}
          </span>
        ))}
      </dd>
    </div>
  );
}
