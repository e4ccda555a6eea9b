/** What a process tells of itself from inside: `probe.mjs`, which is loaded into it, answers. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { memoryOf } from '../bench/tools/measure.ts';

/** The environment of a process that can be asked. */
export const INSPECTED = { NODE_OPTIONS: '--import=./torture/probe.mjs' };

async function ask(pid: number, question: string): Promise<unknown> {
  const socket = connect(`\0food-lookup-probe-${pid}`);
  socket.write(question);
  return JSON.parse(await text(socket));
}

/** Major collections, until nothing more is found. */
export const collectGarbage = (pid: number): Promise<unknown> => ask(pid, 'collect');

/** ns of one `process.nextTick`. */
export const tickTime = async (pid: number): Promise<number> => Number(await ask(pid, 'tick'));

/** Bytes of the process that garbage has no part in: else uncollected garbage would mask a leak. */
export async function memoryKept(pid: number): Promise<number> {
  await collectGarbage(pid);
  return memoryOf(pid, 'VmRSS');
}

/** Asynchronous resources (ticks, timers, promises …) that are made meanwhile, by type. */
export async function resourcesMadeBy(
  pid: number,
  work: () => Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  await ask(pid, 'made');
  await work();
  return (await ask(pid, 'made')) as Record<string, number>;
}

/** Bytes that are allocated meanwhile; garbage must not be collected in between. */
export async function bytesAllocatedBy(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = Number(await ask(pid, 'heap'));
  await work();
  return Number(await ask(pid, 'heap')) - before;
}
