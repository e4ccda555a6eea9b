/** What a search takes: work, or time without a processor. */

/** Works for that many ms, however many other programs have the processor meanwhile. */
export function workFor(ms: number): void {
  const used = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  for (const ends = used() + ms; used() < ends; );
}

/** Blocks this thread, which gets no processor for that many ms. */
export const pauseFor = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);
