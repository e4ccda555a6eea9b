/** Loaded by `--import` (`inspect.ts`): answers questions about its process on an abstract socket, one per connection. */
import { createHook } from 'node:async_hooks';
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
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

  /** Bytes of the heap in use: between two collections they grow by what is allocated. */
  heap: () => process.memoryUsage().heapUsed,
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
