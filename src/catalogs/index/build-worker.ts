/** A thread of an import (`build-threads.ts`). It runs jobs in the order of their arrival, and posts the output of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { BuildThread, type Job, perform } from '../../search/building/build-thread.ts';
import { EverydayFoods } from '../../search/ranking/everyday-foods.ts';
import { releaseMemory, shared, type ThreadData } from './build-threads.ts';

const { number, everydayFoods } = workerData as ThreadData;
const thread = new BuildThread(number, shared, everydayFoods && new EverydayFoods(everydayFoods));

parentPort?.on('message', (job: Job | 'release') => {
  if (job === 'release') releaseMemory();
  else parentPort?.postMessage(perform(thread, job));
});
