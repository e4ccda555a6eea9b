import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Screen readers announce it at once. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}

/** Shown in place of foods. */
export function Message({ title, isAlert = false, children }: Props) {
  return (
    <div className={`message ${isAlert ? 'failure' : ''}`} role={isAlert ? 'alert' : undefined}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
