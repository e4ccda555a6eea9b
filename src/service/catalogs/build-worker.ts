/** A thread of an import (`build-threads.ts`). It runs jobs in the order of their arrival, and posts the output of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { BuildThread, type Job, perform } from '#engine';
import { releaseMemory, shared } from './build-threads.ts';

const thread = new BuildThread(workerData as number, shared);

parentPort?.on('message', (job: Job | 'release') => {
  if (job === 'release') releaseMemory();
  else parentPort?.postMessage(perform(thread, job));
});
