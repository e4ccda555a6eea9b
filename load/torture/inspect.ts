/** Measures a process from inside, through `probe.mjs`, which is loaded into it. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { memoryOf } from '../tools/measure.ts';

/** The environment of a process to measure. */
export const INSPECTED = { NODE_OPTIONS: '--import=./load/torture/probe.mjs' };

async function ask(pid: number, question: string): Promise<unknown> {
  const socket = connect(`\0food-lookup-probe-${pid}`);
  socket.write(question);
  return JSON.parse(await text(socket));
}

/** Runs several major collections. */
export const collectGarbage = (pid: number): Promise<unknown> => ask(pid, 'collect');

/** ns of one `process.nextTick`. */
export const tickTime = async (pid: number): Promise<number> => Number(await ask(pid, 'tick'));

/** Bytes of the process after a collection: uncollected garbage would mask a leak. */
export async function memoryKept(pid: number): Promise<number> {
  await collectGarbage(pid);
  return memoryOf(pid, 'VmRSS');
}
