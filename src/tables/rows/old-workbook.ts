/** Reads workbooks in the formats of authorities: Excel until 2003 (.xls), and OpenDocument (.ods). */
import { fork } from 'node:child_process';
import { shown, UserError } from '#core';
import type { SentSheet, Task } from './old-workbook-process.ts';
import type { Workbook } from './workbook.ts';

const READER = new URL('../../../dist/tables/rows/old-workbook-process.js', import.meta.url);

/** Bytes; a table of 100,000 foods has less. */
const MAX_SIZE = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** What damaged files would take without end: ms of the processor, and MB; each also for a megabyte of the file. */
const MOST_TIME = [1200, 1500] as const;
const MOST_MEMORY = [96, 32] as const;
const within = ([least, more]: readonly [number, number], bytes: number): number =>
  Math.round(least + (more * bytes) / MEGABYTE);

const SAVE = 'Save it as an Excel workbook (.xlsx) or CSV';

/** @throws UserError if it has a password, or no sheets, or is damaged */
export async function openOldWorkbook(bytes: Uint8Array, where: string): Promise<Workbook> {
  if (bytes.length > MAX_SIZE) throw new UserError(`${where} is larger than 64 MiB. ${SAVE}.`);
  const sent = await sheetsOf(bytes, where);
  const visible = sent.filter(({ isHidden }) => !isHidden);
  const byName = new Map([...visible, ...sent].map((sheet) => [sheet.name, sheet]));
  const rows = async function* (name: string) {
    for (const [i, cells] of (byName.get(name)?.rows ?? []).entries())
      if (cells.length > 0) yield { row: i + 1, cells };
  };
  return { sheets: [...byName.keys()], visible: visible.length, rows };
}

/** In a process, not a thread: a thread that asks for much memory at once ends the process that it is in, whatever its limit. */
function sheetsOf(bytes: Uint8Array, where: string): Promise<readonly SentSheet[]> {
  const reader = fork(READER, {
    execArgv: [`--max-old-space-size=${within(MOST_MEMORY, bytes.length)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise<readonly SentSheet[]>((resolve, reject) => {
    const refuse = (what: string, remedy = SAVE): void =>
      reject(new UserError(`${where} ${what}. ${remedy}.`));
    reader.once('message', (answer: readonly SentSheet[] | string) => {
      if (typeof answer !== 'string') resolve(answer);
      else if (/password|ECMA-376 Encrypted/i.test(answer)) refuse('has a password', 'Save it without one');
      else refuse(`is no workbook, or a damaged one (${shown(answer).slice(1, -1)})`);
    });
    reader.once('exit', () =>
      refuse('takes more time or memory than a table of its size: it is probably damaged'),
    );
    reader.once('error', reject);
    reader.send({ bytes, mostTime: within(MOST_TIME, bytes.length) } satisfies Task);
  }).finally(() => reader.kill('SIGKILL'));
}
