/** A line of a part's results. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** Undefined: reported, not judged. */
  readonly bound?: string;
  readonly holds?: boolean;
  /** It depends on the machine, and is not judged in tests. */
  readonly isMeasured?: boolean;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en');
export const ms = (value: number): string => `${value >= 10 ? value.toFixed(0) : value.toPrecision(2)} ms`;

/** A number that must be 0. */
export const none = (what: string, value: number): Figure => ({
  what,
  value: count(value),
  bound: '0',
  holds: value === 0,
});

/** A measured number with an upper or lower bound. */
export function measured(
  what: string,
  value: number,
  relation: '≤' | '≥',
  bound: number,
  shown: (value: number) => string,
): Figure {
  const holds = relation === '≤' ? value <= bound : value >= bound;
  return { what, value: shown(value), bound: `${relation} ${shown(bound)}`, holds, isMeasured: true };
}

export function printed(name: string, figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ what, value, bound, holds }) =>
      `  ${what.padEnd(62)} ${value.padStart(12)}   ${bound === undefined ? '' : `${bound.padEnd(12)} ${holds ? 'PASS' : 'FAIL'}`}`,
  );
  return `${name}\n${rows.map((row) => row.trimEnd()).join('\n')}\n`;
}
