/** A thread that ends its process once this has used the processor for `workerData` ms. */
import { workerData } from 'node:worker_threads';

/** ms between two looks at the time. */
const LOOK = 50;

// Not the time on the wall: the machine may be busy with others.
const before = process.cpuUsage();
setInterval(() => {
  const { user, system } = process.cpuUsage(before);
  if ((user + system) / 1000 > workerData) process.kill(process.pid, 'SIGKILL');
}, LOOK);
