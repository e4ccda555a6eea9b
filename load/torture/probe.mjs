/** Loaded by `--import` (`inspect.ts`): answers questions about its process on an abstract socket, one per connection. */
import { createHook } from 'node:async_hooks';
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

let made = {};
const hook = createHook({
  init(_id, type) {
    made[type] = (made[type] ?? 0) + 1;
  },
});

let profiler;
let usedBefore = 0;
const usedIn = ({ heapStatistics }) => heapStatistics.usedHeapSize;

const QUESTIONS = {
  /** Three times, since some garbage becomes unreachable only when other garbage is collected. */
  async collect() {
    for (let i = 0; i < 3; i++) {
      collect();
      await wait(500);
    }
  },

  /** ns of a call of `process.nextTick`: the least of many batches, each so short that few are interrupted. */
  async tick() {
    const [batches, calls] = [50, 2000];
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < batches; i++) {
      const started = process.hrtime.bigint();
      for (let call = 0; call < calls; call++) process.nextTick(() => {});
      least = Math.min(least, Number(process.hrtime.bigint() - started) / calls);
      await nextTurn();
    }
    return least;
  },

  /** Asynchronous resources created since the last call, by type. */
  made() {
    const all = made;
    made = {};
    hook.enable();
    return all;
  },

  /** Bytes allocated on the heap since the last call: by which it has grown, and which were collected meanwhile. */
  allocated() {
    const collections = profiler?.stop().statistics ?? [];
    const used = process.memoryUsage().heapUsed;
    const collected = collections.map(({ beforeGC, afterGC }) => usedIn(beforeGC) - usedIn(afterGC));
    const bytes = collected.reduce((sum, each) => sum + each, used - usedBefore);
    usedBefore = used;
    profiler = new GCProfiler();
    profiler.start();
    return bytes;
  },
};

// A worker thread has the same process id.
if (isMainThread) {
  createServer((socket) => {
    socket.once('data', async (question) =>
      socket.end(JSON.stringify((await QUESTIONS[question]()) ?? null)),
    );
  })
    .listen(`\0food-lookup-probe-${process.pid}`)
    .unref();
}
