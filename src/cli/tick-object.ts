/**
 * Keeps `process.nextTick` fast, which Node.js calls twice or more for each request.
 *
 * Each call creates an object with computed keys. If a few major garbage collections find no such object, as happens while a
 * data set is loaded or no requests arrive, V8 discards the shape for which it has compiled this, and never learns it again:
 * from then on a call into the runtime defines each key. That costs 19 % of all answers a second (Node.js 20.20, V8 11.3;
 * `npm run torture -- idle`). One object that is never released keeps the shape alive.
 */
import { createHook } from 'node:async_hooks';

const retained: object[] = [];

/** Call it once, early in the life of the process. */
export function keepTickObject(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') retained.push(resource);
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
}
