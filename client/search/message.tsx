import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Told at once by screen readers. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}

/** A state of the search that is not a table of foods. */
export function Message({ title, isAlert = false, children }: Props) {
  return (
    <div className={`message ${isAlert ? 'failure' : ''}`} role={isAlert ? 'alert' : undefined}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
