/**
 * Keeps `process.nextTick` fast, which Node.js calls ten times for a request.
 *
 * Each call makes an object with computed keys. Where a few major garbage collections meet no such object, as happens while a data
 * set is loaded, or while nobody asks anything, V8 lets go of the shape that it has compiled this for, and never learns it again:
 * from then on each key is defined by a call into the runtime. That takes 19 % of all answers a second (Node.js 20.20, V8 11.3;
 * `npm run torture -- idle`). One object that is never let go keeps the shape alive.
 */
import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/** To be called once, early in the life of the process. */
export function keepTickObject(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept.push(resource);
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
}
