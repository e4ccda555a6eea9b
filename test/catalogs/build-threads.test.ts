/** The threads of an import: their outputs, their order, and their failures. */
import { afterEach, expect, test } from 'vitest';
import { BuildThreads } from '../../src/catalogs/index/build-threads.ts';

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
