/** The index of the data set, open in a thread of the page: its answers are those of the service, without the way there. */
import type { LocalAnswer } from '../../packages/browser/open-index.ts';
import { LANGUAGE } from '../texts/language.ts';

type Answer = readonly [id: number, answer?: LocalAnswer];

let thread: Worker | undefined;
/** Of the data set whose index is open. */
let identity: string | undefined;
let last = 0;
const waiting = new Map<number, (answer?: Response) => void>();

export const hasThread = (): boolean => thread !== undefined;

export const hasIndexOf = (dataSet: { readonly identity: string } | undefined): boolean =>
  identity !== undefined && dataSet?.identity === identity;

/** @param address of a request to the service @returns undefined if there is no index, or if it cannot answer that */
export function fromIndex({ href }: URL): Promise<Response | undefined> {
  thread ??= started();
  last += 1;
  thread.postMessage([last, href.slice(new URL('.', location.href).href.length)]);
  return new Promise((resolve) => waiting.set(last, resolve));
}

function started(): Worker {
  const worker = new Worker(new URL(`answers.js?lang=${LANGUAGE}`, location.href));
  worker.addEventListener('message', ({ data: [id, answer] }: MessageEvent<Answer>) => {
    waiting.get(id)?.(answer && new Response(answer.body, answer));
    waiting.delete(id);
  });
  // Its script could not be loaded.
  worker.addEventListener('error', closeIndex);
  return worker;
}

/** Opens the index of a data set, if the service has it. */
export async function openIndex(wanted: string): Promise<void> {
  const isNew = !hasThread();
  identity = await identityOfIndex();
  if (identity === wanted) return;
  closeIndex();
  // It was of an earlier data set.
  if (!isNew) await openIndex(wanted);
}

async function identityOfIndex(): Promise<string | undefined> {
  const facts = await (await fromIndex(new URL('data-set', location.href)))?.json();
  return facts?.identity;
}

function closeIndex(): void {
  thread?.terminate();
  thread = undefined;
  identity = undefined;
  for (const settle of waiting.values()) settle();
  waiting.clear();
}
