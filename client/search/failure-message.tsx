/**
 * Messages instead of foods, above all why a search failed and what to do about it.
 */
import type { ComponentChildren } from 'preact';
import { IS_ELSEWHERE, REFUSED_ADDRESS, SERVICE } from '../service/address.ts';
import type { Failure } from './service.ts';

interface Props {
  readonly failure: Failure;
  readonly isTrying: boolean;
  readonly onTryAgain: () => void;
}

export function FailureMessage({ failure, isTrying, onTryAgain }: Props) {
  return (
    <Message title={TITLES[failure.kind]} isAlert>
      <Explanation failure={failure} />
      <button type="button" className="button" onClick={onTryAgain} aria-disabled={isTrying}>
        Try again
      </button>
    </Message>
  );
}

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  unreachable: 'The food service does not answer',
  blocked: 'The browser blocks the answers',
  insecure: 'The browser blocks the request',
  answered: 'The food service answered with an error',
};

function Explanation({ failure }: Pick<Props, 'failure'>) {
  switch (failure.kind) {
    case 'unreachable':
      return (
        <p>
          {IS_ELSEWHERE
            ? `Nothing answers at ${SERVICE.href}. Check the address and whether the service is running. `
            : 'Check your connection, or whether the service is running. '}
          The search continues automatically once it is back.
        </p>
      );
    case 'blocked':
      return (
        <>
          <p>
            The service at {SERVICE.href} is running, but it does not allow pages on {location.origin} to read
            its answers. To allow them, start the service with this setting:
          </p>
          <pre>
            <code>ALLOWED_ORIGIN={location.origin}</code>
          </pre>
        </>
      );
    case 'insecure':
      return (
        <p>
          This page was loaded over https, so the browser lets it contact https services only. The service at{' '}
          {SERVICE.href} uses http, or is not running. Serve it over https, or open this page over http.
        </p>
      );
    case 'answered':
      return (
        <p>
          {failure.message} (status {failure.status})
        </p>
      );
  }
}

interface MessageProps {
  readonly title: string;
  /** Screen readers announce it at once. */
  readonly isAlert?: boolean;
  readonly children: ComponentChildren;
}

/** Shown instead of foods. */
export function Message({ title, isAlert = false, children }: MessageProps) {
  return (
    <div className={`message ${isAlert ? 'failure' : ''}`} role={isAlert ? 'alert' : undefined}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function RefusedAddress() {
  return (
    <Message title="The address of the food service cannot be used" isAlert>
      <p>
        “{REFUSED_ADDRESS}” in <code>?api=</code> is not a web address. The foods below are from{' '}
        {SERVICE.href}. Write for example <code>?api=https://food.example</code>.
      </p>
    </Message>
  );
}
