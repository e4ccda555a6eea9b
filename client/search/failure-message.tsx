/** Why a search fails, and messages instead of foods that say what to do about it. */
import type { ComponentChildren } from 'preact';
import { AnsweredWithError, BlockedOrUnreachable } from '../../packages/browser/search-foods.ts';
import { IS_ELSEWHERE, SERVICE } from '../service/service.ts';

export type Failure = AnsweredWithError | { readonly kind: 'unreachable' | 'blocked' };

/** Undefined for an aborted search. */
export async function failureOf(error: unknown): Promise<Failure | undefined> {
  if (error instanceof AnsweredWithError) return error;
  if (!(error instanceof BlockedOrUnreachable)) return undefined;
  // To a script, a blocked response and a service that is down look the same. A request in no-cors mode distinguishes them:
  // it succeeds if there is any response, although the script cannot read it.
  const ask = () => fetch(new URL('api/food', SERVICE), { mode: 'no-cors', credentials: 'omit' });
  const isThere = IS_ELSEWHERE && (await ask().catch(() => undefined)) !== undefined;
  return { kind: isThere ? 'blocked' : 'unreachable' };
}

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  unreachable: 'The food service does not answer',
  blocked: 'The browser blocks the answers',
  'answered-with-error': 'The food service answered with an error',
};

/** A browser lets a page that was loaded over https contact https services only. */
const IS_INSECURE = location.protocol === 'https:' && SERVICE.protocol === 'http:';

function explanationOf(failure: Failure): string {
  switch (failure.kind) {
    case 'unreachable': {
      const hint = IS_ELSEWHERE
        ? `Nothing answers at ${SERVICE.href}. Check the address and whether the service is running${IS_INSECURE ? ', over https, as this page was loaded' : ''}.`
        : 'Check your connection, or whether the service is running.';
      return `${hint} The search continues automatically once it is back.`;
    }
    case 'blocked':
      return `The service at ${SERVICE.href} is running, but it does not allow pages on ${location.origin} to read its answers. To allow them, start the service with this setting:`;
    case 'answered-with-error':
      return `${failure.message} (status ${failure.status})`;
  }
}

interface Props {
  readonly failure: Failure;
  readonly isTrying: boolean;
  readonly onTryAgain: () => void;
}

export function FailureMessage({ failure, isTrying, onTryAgain }: Props) {
  return (
    <Message title={TITLES[failure.kind]} isAlert>
      <p>{explanationOf(failure)}</p>
      {failure.kind === 'blocked' && (
        <pre>
          <code>ALLOWED_ORIGIN={location.origin}</code>
        </pre>
      )}
      <button type="button" className="button" onClick={onTryAgain} aria-disabled={isTrying}>
        Try again
      </button>
    </Message>
  );
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
