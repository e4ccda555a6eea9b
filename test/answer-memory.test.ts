/** Memory of answers is used again, but never while an answer in it is still read. */
import { expect, test } from 'vitest';
import { allocate, release } from '../src/system/answer-memory.ts';
import { seeded } from './support/random.ts';

test.each([1, 2, 3])('answers keep their bytes until they are released, in any order (seed %i)', (seed) => {
  const random = seeded(seed);
  const kept: { readonly answer: Buffer; readonly byte: number }[] = [];
  for (let i = 0; i < 3000; i++) {
    const answer = allocate(1 + random(random(10) === 0 ? 40_000 : 2000));
    answer.fill(i);
    kept.push({ answer, byte: i & 0xff });
    // The last one mostly, as when answers are sent at once.
    while (kept.length > 0 && random(20) > kept.length) {
      const place = random(3) > 0 ? kept.length - 1 : random(kept.length);
      for (const { answer, byte } of kept.splice(place, 1)) {
        expect(answer.equals(Buffer.alloc(answer.length, byte))).toBe(true);
        release(answer);
      }
    }
  }
});

test('the memory of the last answer is used again once it is released', () => {
  const first = allocate(100);
  release(first);
  const second = allocate(200);
  expect([second.buffer, second.byteOffset]).toEqual([first.buffer, first.byteOffset]);
});

test('a buffer from elsewhere is left alone', () => {
  const last = allocate(100);
  release(Buffer.alloc(last.byteOffset + last.length));
  expect(allocate(100).byteOffset).toBe(last.byteOffset + last.length);
});
