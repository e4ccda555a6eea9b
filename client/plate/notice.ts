/**
 * A message above the plate about its last change, with a way to undo it. It stays until the next one, so that nobody
 * has to be quick.
 */
import { announce } from '../elements/announcer.tsx';
import { type Plate, readPlate } from '../foods/plate.ts';
import { localStore } from '../stores/local-store.ts';
import { plateStore } from '../stores/page-stores.ts';

export interface Notice {
  readonly text: string;
  /** The plate before the change. */
  readonly before?: Plate;
}

export const noticeStore = localStore<Notice | null>('notice', null, readNotice);

export function showNotice(notice: Notice): void {
  noticeStore.set(notice);
  announce(notice.text);
}

export function restorePlate(before: Plate): void {
  plateStore.set(before);
  noticeStore.set(null);
  announce('The plate is restored.');
}

function readNotice(value: unknown): Notice | undefined {
  const { text, before } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const plate = readPlate(before);
  return typeof text === 'string' && plate !== undefined ? { text, before: plate } : undefined;
}
