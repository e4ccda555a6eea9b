/** Memory of answers is used again, but never while an answer in it is still read. */
import { expect, test } from 'vitest';
import { ANSWER_MEMORY, release } from '../src/service/http/answer-memory.ts';
import { seeded } from './support/random.ts';

test.each([1, 2, 3])('answers keep their bytes until they are released, in any order (seed %i)', (seed) => {
  const random = seeded(seed);
  const kept: { readonly answer: Uint8Array; readonly byte: number }[] = [];
  for (let i = 0; i < 3000; i++) {
    const answer = ANSWER_MEMORY.allocate(1 + random(random(10) === 0 ? 40_000 : 2000));
    answer.fill(i);
    kept.push({ answer, byte: i & 0xff });
    // The last one mostly, as when answers are sent at once.
    while (kept.length > 0 && random(20) > kept.length) {
      const place = random(3) > 0 ? kept.length - 1 : random(kept.length);
      for (const { answer, byte } of kept.splice(place, 1)) {
        expect(answer.every((each) => each === byte)).toBe(true);
        release(answer);
      }
    }
  }
});

test('the memory of the last answer is used again once it is released', () => {
  const first = ANSWER_MEMORY.allocate(100);
  release(first);
  const second = ANSWER_MEMORY.allocate(200);
  expect([second.buffer, second.byteOffset]).toEqual([first.buffer, first.byteOffset]);
});

test('a buffer from elsewhere is left alone', () => {
  const last = ANSWER_MEMORY.allocate(100);
  release(Buffer.alloc(last.byteOffset + last.length));
  expect(ANSWER_MEMORY.allocate(100).byteOffset).toBe(last.byteOffset + last.length);
});
