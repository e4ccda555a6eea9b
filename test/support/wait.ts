/** Waits until something holds; the test's own timeout ends it where it never does. */
export async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
