/** Loaded by `--import` (`inspect.ts`): answers questions about its process on an abstract socket, one per connection. */
import { createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

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
