/** The thread in which a running service reads a new index, which would block requests. Its buffers are not copied. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '#core';
import { type LoadedIndex, loadIndex } from './memory.ts';

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

/** The index, or why the file cannot be used. */
async function load(path: string, isShared: boolean): Promise<LoadedIndex | string> {
  lowerPriority();
  return loadIndex(path, isShared).catch((error: unknown) => {
    if (error instanceof UserError) return error.message;
    throw error;
  });
}

const { path, isShared } = workerData as { path: string; isShared: boolean };
const result = await load(path, isShared);
parentPort?.postMessage(result, [...buffersOf(result)]);
