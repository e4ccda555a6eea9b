/** The threads of an import: their outputs, their order, and their failures. */
import { afterEach, expect, test, vi } from 'vitest';
import { BuildCrew } from '../../src/catalogs/index/build-crew.ts';
import { BuildThreads } from '../../src/catalogs/index/build-threads.ts';
import { BATCH_SIZE } from '../../src/search/building/food-batch.ts';
import { IndexBuilder } from '../../src/search/index-builder.ts';
import { MemorySink } from '../../src/search/index-sink.ts';
import { foodOf } from '../support/import.ts';

let threads: BuildThreads | undefined;
afterEach(async () => {
  await threads?.close();
  threads = undefined;
});

const batch = (description: string) => ({
  step: 'read' as const,
  input: { texts: ['1', '2', '3', '4', '5', '6', description, null], popularities: [0] },
});

test('threads read any number of batches, and each job gets its own output', async () => {
  const crew = new BuildThreads(2, ['Egg']);
  threads = crew;
  const texts = ['Egg', 'Milk', 'Oat flakes', 'Tea', 'Rice'];
  const batches = await Promise.all(texts.map((text) => crew.run(batch(text))));
  const read = batches.map(({ entries }) => JSON.parse(Buffer.from(entries).toString()).description);
  expect(read).toEqual(texts);
  const counts = (await crew.inEach({ step: 'nameCounts', input: undefined })) as { foods: number }[];
  expect(counts.reduce((sum, { foods }) => sum + foods, 0)).toBe(5);
});

test('if one thread fails, all later jobs fail with its error', async () => {
  const crew = new BuildThreads(2, undefined);
  threads = crew;
  const faulty = { ...batch('Egg'), input: { texts: [], popularities: [0] } };
  const runs = [batch('Egg'), faulty, ...Array.from({ length: 8 }, () => batch('Milk'))].map((job) =>
    crew.run(job),
  );
  const results = await Promise.allSettled(runs);
  expect(results[1]).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) });
  await expect(crew.run(batch('Tea'))).rejects.toThrow(TypeError);
  await expect(crew.inEach({ step: 'nameCounts', input: undefined })).rejects.toThrow(TypeError);
});

test.each([
  [BATCH_SIZE, 1],
  [2 * BATCH_SIZE, 1],
  [2 * BATCH_SIZE + 1, 2],
])('an index of %i foods is built by %i of two threads', async (foods, expected) => {
  const crew = new BuildCrew(2, undefined, new AbortController().signal);
  try {
    const builder = new IndexBuilder({ readers: crew });
    const steps = vi.spyOn(builder, 'steps');
    for (let i = 0; i < foods; i++) await builder.add(foodOf(`Food ${i}`));
    const sink = new MemorySink();
    await crew.finish(builder, sink, () => {});
    expect(sink.whole().entryStarts).toHaveLength(foods + 1);
    expect(steps.mock.calls[0]?.[0]).toBe(expected);
  } finally {
    await crew.close();
  }
});
