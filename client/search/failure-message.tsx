/** Why a search fails, and messages instead of foods that say what to do about it. */
import type { ComponentChildren } from 'preact';
import { AnsweredWithError, BlockedOrUnreachable } from '../../packages/browser/search-foods.ts';
import { IS_ELSEWHERE, SERVICE } from '../service/service.ts';
import { t } from '../texts/texts.ts';

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

const TITLES = { unreachable: 'unreachable', blocked: 'blocked', 'answered-with-error': 'error' } as const;

function explanationOf(failure: Failure): string {
  switch (failure.kind) {
    case 'unreachable':
      return IS_ELSEWHERE ? t('checkAddress', { address: SERVICE.href }) : t('checkConnection');
    case 'blocked':
      return t('allow', { address: SERVICE.href, origin: location.origin });
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
    <Message title={t(TITLES[failure.kind])} isAlert>
      <p>{explanationOf(failure)}</p>
      {failure.kind === 'blocked' && (
        <pre>
          <code>ALLOWED_ORIGIN={location.origin}</code>
        </pre>
      )}
      <button type="button" className="button" onClick={onTryAgain} aria-disabled={isTrying}>
        {t('tryAgain')}
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
