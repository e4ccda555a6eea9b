/**
 * One sentence above the plate about what just happened to it, with a way back. It stays until the next one: nobody
 * has to be quick.
 */
import { announce } from '../announce.tsx';
import { stored } from '../local-store.ts';
import { plateStore } from '../page-stores.ts';
import { type Plate, readPlate } from './plate.ts';

export interface Notice {
  readonly text: string;
  /** The plate as it was before. */
  readonly before?: Plate;
}

export const noticeStore = stored<Notice | null>('notice', null, readNotice);

export function say(notice: Notice): void {
  noticeStore.set(notice);
  announce(notice.text);
}

export function undo(before: Plate): void {
  plateStore.set(before);
  noticeStore.set(null);
  announce('The plate is as it was before.');
}

function readNotice(value: unknown): Notice | undefined {
  const { text, before } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const plate = readPlate(before);
  return typeof text === 'string' && plate !== undefined ? { text, before: plate } : undefined;
}
