/**
 * A field for an amount, read as in the search box: "2", "½", "30 g", "0.25 kg", "2 slices". A click selects it; what cannot be
 * read is refused below.
 */
import { Big } from 'big.js';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Amount, countText, isAmount, LOCAL_MARK, MAX_GRAMS } from '../foods/amount.ts';
import { readTyped, type TypedAmount } from '../foods/typed-text.ts';
import { localCount, localText } from './figure.tsx';

interface Props {
  readonly label: string;
  /** The count is null if what was typed cannot be read. */
  readonly amount: Amount;
  /** The amount in grams or portions; undefined if the food has no portion for it. */
  readonly weigh: (typed: TypedAmount) => Amount | undefined;
  readonly onChange: (amount: Amount) => void;
  readonly onEnter: () => void;
  /** Beside the field. */
  readonly children: ComponentChildren;
}

export function AmountField({ label, amount, weigh, onChange, onEnter, children }: Props) {
  const { count, unit } = amount;
  // The typed text and its amount: another amount, from elsewhere, replaces the text.
  const [draft, setDraft] = useState<{ readonly text: string; readonly amount: Amount }>();
  const refusalId = useId();
  const isDraft = draft?.amount.count === count && draft.amount.unit.portion === unit.portion;
  const typed = isDraft ? draft.text : localText(countText(amount));
  const isRefused = count === null && typed.trim() !== '';

  const type = (text: string) => {
    const { amount: read, food: rest } = readTyped(text, LOCAL_MARK);
    // Of "2 slices, regular" people change the number.
    const isSameUnit =
      rest === '' ? !read?.measure : unitIn(text) === unitIn(countText({ count: '2', unit }));
    const weighed =
      read && (isSameUnit ? { count: read.count, unit } : rest === '' ? weigh(read) : undefined);
    const changed = weighed !== undefined && isAmount(weighed) ? weighed : { count: null, unit };
    setDraft({ text, amount: changed });
    onChange(changed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = STEPS[event.key];
    if (event.key === 'Enter' && !isRefused) onEnter();
    else if (step === undefined) return;
    else {
      const stepped = { count: new Big(count ?? 0).plus(event.shiftKey ? 10 * step : step).toFixed(), unit };
      if (isAmount(stepped)) onChange(stepped);
    }
    event.preventDefault();
  };
  return (
    <span className="amount-field">
      <input
        className="amount-input"
        inputMode="decimal"
        enterkeyhint="done"
        autoComplete="off"
        aria-label={label}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? refusalId : undefined}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onMouseDown={selectAtFirst}
        onBlur={() => !isRefused && setDraft(undefined)}
        onKeyDown={onKeyDown}
      />
      {children}
      {isRefused && (
        <span className="refusal" id={refusalId} role="alert">
          Not an amount of this food. Type for example ½, {localText('12.5 g')} or 2 slices, up to{' '}
          {localCount(MAX_GRAMS / 1000)} kg.
        </span>
      )}
    </span>
  );
}

const unitIn = (text: string): string => text.replace(/^[\d\s.,]+/, '').trim();

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** The first click selects the amount, so that typing replaces it; the next one places the caret. */
function selectAtFirst(event: MouseEvent): void {
  const { currentTarget: field } = event;
  if (event.button !== 0 || !(field instanceof HTMLInputElement) || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
  field.select();
}
