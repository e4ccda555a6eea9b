import { setTimeout as pause } from 'node:timers/promises';

/** Whether it comes to an end without an error. */
export const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

/** Waits until a condition holds; only the test's timeout limits it. */
export async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(50);
}
