/** A line in the results of a part. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** Undefined if the value is only reported. */
  readonly bound?: string;
  readonly holds?: boolean;
  /** It depends on the machine, so tests do not judge it. */
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

export function bounded(
  what: string,
  value: number,
  relation: '≤' | '≥',
  bound: number,
  shown = (each: number) => each.toFixed(2),
): Figure {
  const holds = relation === '≤' ? value <= bound : value >= bound;
  return { what, value: shown(value), bound: `${relation} ${shown(bound)}`, holds };
}

export const measured = (...given: Parameters<typeof bounded>): Figure => ({
  ...bounded(...given),
  isMeasured: true,
});

export function printed(name: string, figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ what, value, bound, holds }) =>
      `  ${what.padEnd(62)} ${value.padStart(12)}   ${bound === undefined ? '' : `${bound.padEnd(12)} ${holds ? 'PASS' : 'FAIL'}`}`,
  );
  return `${name}\n${rows.map((row) => row.trimEnd()).join('\n')}\n`;
}
