/**
 * A field for grams. A click selects what it holds; an amount that cannot be read is refused beside it.
 */
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import { isGrams, MAX_GRAMS, readAmount } from '../foods/amount.ts';
import { decimalText, parseDecimal, plus, ZERO } from '../foods/decimal.ts';
import { LOCAL_MARK, localCount, typedText } from './figure.tsx';

interface Props {
  readonly label: string;
  /** null: no amount that can be read. */
  readonly grams: string | null;
  readonly onChange: (grams: string | null) => void;
  readonly onEnter: () => void;
}

/** What was typed, and the amount it stands for: another amount, from elsewhere, replaces the text. */
interface Draft {
  readonly text: string;
  readonly grams: string | null;
}

export function GramsField({ label, grams, onChange, onEnter }: Props) {
  const [draft, setDraft] = useState<Draft>();
  const refusalId = useId();
  const typed = draft?.grams === grams ? draft.text : typedText(grams ?? '');
  const isRefused = grams === null && typed.trim() !== '';

  const type = (text: string) => {
    const amount = readAmount(text, LOCAL_MARK) ?? null;
    setDraft({ text, grams: amount });
    onChange(amount);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (event.key === 'Enter' && !isRefused) onEnter();
    else if (step === undefined) return;
    else onChange(stepped(grams, event.shiftKey ? 10n * step : step));
    event.preventDefault();
  };
  return (
    <span className="grams-field">
      <input
        className="grams-input"
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
      <span aria-hidden="true"> g</span>
      {isRefused && (
        <span className="refusal" id={refusalId} role="alert">
          Not an amount. Type grams up to {localCount(MAX_GRAMS)}, such as {typedText('12.5')}.
        </span>
      )}
    </span>
  );
}

const STEPS: Readonly<Record<string, bigint>> = { ArrowUp: 1n, ArrowDown: -1n };

function stepped(grams: string | null, step: bigint): string | null {
  const next = decimalText(plus(parseDecimal(grams ?? '0') ?? ZERO, { units: step, scale: 0 }));
  return isGrams(next) ? next : grams;
}

/** The first click selects the amount, so that typing replaces it; the next one places the caret. */
function selectAtFirst(event: MouseEvent<HTMLInputElement>): void {
  if (event.button !== 0 || document.activeElement === event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.focus();
  event.currentTarget.select();
}
