/**
 * Why there are no foods, and what to do: for each failure another.
 */
import type { ReactNode } from 'react';
import { type Failure, IS_ELSEWHERE, SERVICE } from '../service.ts';
import { Message } from './message.tsx';

interface Props {
  readonly failure: Failure;
  readonly isTrying: boolean;
  readonly onTryAgain: () => void;
}

export function FailureMessage({ failure, isTrying, onTryAgain }: Props) {
  const { title, body } = told(failure);
  return (
    <Message title={title} isAlert>
      {body}
      <button type="button" className="button" onClick={onTryAgain} aria-disabled={isTrying}>
        Try again
      </button>
    </Message>
  );
}

function told(failure: Failure): { readonly title: string; readonly body: ReactNode } {
  switch (failure.kind) {
    case 'unreachable':
      return {
        title: 'The food service does not answer',
        body: (
          <p>
            {IS_ELSEWHERE
              ? `Nothing answers at ${SERVICE.href}. Check the address and whether the service is running. `
              : 'Check your connection, or whether the service is running. '}
            The search goes on by itself as soon as it is back.
          </p>
        ),
      };
    case 'blocked':
      return {
        title: 'The browser withholds the answers from this page',
        body: (
          <>
            <p>
              The service at {SERVICE.href} is running, but it does not allow pages on {location.origin} to
              read its answers. Whoever runs it can allow them by starting it with this setting:
            </p>
            <pre>
              <code>ALLOWED_ORIGIN={location.origin}</code>
            </pre>
          </>
        ),
      };
    case 'insecure':
      return {
        title: 'The browser does not ask the service',
        body: (
          <p>
            This page came by https, so the browser lets it ask only services with https. The service at{' '}
            {SERVICE.href} has http, or is not running. Put it behind https, or open this page by http.
          </p>
        ),
      };
    case 'answered':
      return {
        title: 'The food service answered with an error',
        body: (
          <p>
            {failure.message} (status {failure.status})
          </p>
        ),
      };
  }
}
