/** Another thread that answers requests like the first one, with the data set that the first has loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryCatalog } from '../../catalogs/memory.ts';
import { contextOf, createApp } from '../../http/app.ts';
import { keepTickObject } from '../../http/node-http.ts';
import { readSettings } from '../../settings/settings.ts';
import { readOtherNames } from '../open-catalog.ts';
import { listen } from './listen.ts';
import { ask, type Order, type ThreadStart } from './threads.ts';

const { flags, changed, loaded, limits } = workerData as ThreadStart;

keepTickObject();
const settings = { ...readSettings(flags, process.env), ...changed };
const context = await contextOf(settings, limits);
const { operations } = context;
operations.report = () => ask((reply) => parentPort?.postMessage(reply, [reply]));
const catalog = new MemoryCatalog(loaded);
const otherNames = await readOtherNames(settings.otherNames);
const app = await createApp(catalog, settings, context, otherNames);

parentPort?.on('message', async (order: Order) => {
  if (order.do === 'replace') catalog.replace(order.loaded);
  else if (order.do === 'count') order.reply.postMessage(await operations.registry().getMetricsAsJSON());
  else {
    operations.isStopping = true;
    await app.close();
    process.exit();
  }
});
await listen(app.server, { ...settings, reusePort: true });
parentPort?.postMessage('listening');
