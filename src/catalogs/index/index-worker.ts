/**
 * The thread in which a running service reads a new index: checking hundreds of megabytes and building the
 * trees would block requests. Its buffers are transferred without a copy.
 */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../../system/errors.ts';
import { type LoadResult, loadIndex } from './load-index.ts';

async function load(path: string, isShared: boolean): Promise<LoadResult> {
  try {
    return { loaded: await loadIndex(path, isShared) };
  } catch (error) {
    if (error instanceof UserError) return { refused: error.message };
    throw error;
  }
}

/** All buffers within a value that are not shared, each once. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) buffersOf(part, found);
  }
  return found;
}

/** Gives requests precedence while all cores are busy. Only Linux has priorities for threads. */
function lowerPriority(): void {
  try {
    const [, owner, thread] = /^(\d+)\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (Number(owner) === process.pid) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Then the thread competes with requests.
  }
}

lowerPriority();
const { path, isShared } = workerData as { path: string; isShared: boolean };
const result = await load(path, isShared);
parentPort?.postMessage(result, [...buffersOf(result)]);
