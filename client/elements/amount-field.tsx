/**
 * A field for the number of an amount, beside what it counts. A click selects the number; an unreadable one is refused
 * below.
 */
import { Big } from 'big.js';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useState } from 'react';
import { type Amount, isAmount, isGrams, MAX_GRAMS, readCount } from '../foods/amount.ts';
import { LOCAL_MARK, localCount, typedText } from './figure.tsx';

interface Props {
  readonly label: string;
  /** The count is null if what was typed cannot be read. */
  readonly amount: Amount;
  readonly onChange: (amount: Amount) => void;
  readonly onEnter: () => void;
  /** What the number counts. */
  readonly children: ReactNode;
}

export function AmountField({ label, amount: { count, unit }, onChange, onEnter, children }: Props) {
  // The typed text and its count: another count, from elsewhere, replaces the text.
  const [draft, setDraft] = useState<{ readonly text: string; readonly count: string | null }>();
  const refusalId = useId();
  const typed = draft?.count === count ? draft.text : typedText(count ?? '');
  const isRefused = count === null && typed.trim() !== '';

  const type = (text: string) => {
    const read = readCount(text, LOCAL_MARK) ?? null;
    const typedCount = isAmount({ count: read, unit }) ? read : null;
    setDraft({ text, count: typedCount });
    onChange({ count: typedCount, unit });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
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
        enterKeyHint="done"
        autoComplete="off"
        aria-label={label}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? refusalId : undefined}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onMouseDown={selectAtFirst}
        onBlur={() => !isRefused && setDraft(undefined)}
        onKeyDown={onKeyDown}
      />
      {children}
      {isRefused && (
        <span className="refusal" id={refusalId} role="alert">
          Not an amount. Type {isGrams(unit) ? 'grams' : 'a number'} up to{' '}
          {localCount(Math.floor(MAX_GRAMS / Number(unit.grams)))}, such as {typedText('12.5')}.
        </span>
      )}
    </span>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** The first click selects the number, so that typing replaces it; the next one places the caret. */
function selectAtFirst(event: MouseEvent<HTMLInputElement>): void {
  if (event.button !== 0 || document.activeElement === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus();
  event.currentTarget.select();
}
