import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyTable, keyOf } from '#core';
import { seeded } from '../support/random.ts';

test('keys are numbered as by a map', () => {
  const small = fc.integer({ min: -3, max: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(small, fc.integer()), small)), (keys) => {
      const table = new KeyTable();
      const map = new Map<string, number>();
      for (const [low, high] of keys) {
        const key = `${low},${high}`;
        expect(table.find(low, high)).toBe(map.get(key) ?? -1);
        if (!map.has(key)) map.set(key, map.size);
        expect(table.numberOf(low, high)).toBe(map.get(key));
      }
      expect(table.size).toBe(map.size);
    }),
  );
});

test('a hundred thousand keys are distinguished, consecutive or random', () => {
  const random = seeded(3);
  for (const next of [(i: number) => i + 167_512, () => random(2 ** 31)]) {
    const table = new KeyTable();
    const map = new Map<number, number>();
    for (let i = 0; i < 100_000; i++) {
      const key = next(i);
      if (!map.has(key)) map.set(key, map.size);
      table.numberOf(key, 0);
    }
    expect(Array.from(map).filter(([key, number]) => table.find(key, 0) !== number)).toEqual([]);
    expect(table.find(-5, 0)).toBe(-1);
  }
});

test('keys of texts collide no more than random ones, in each half of their bits', () => {
  const texts: ((i: number) => string[])[] = [
    (i) => [String(4_000_000_000_000 + i)],
    (i) => [`${i % 100}`, `${Math.floor(i / 100) % 100}.5`, `${Math.floor(i / 10_000)}`, 'milk'],
    (i) => ['a'.repeat(i % 400), 'a'.repeat(Math.floor(i / 400))],
  ];
  for (const textsOf of texts) {
    const middles = new Set<number>();
    const [lows, highs] = [new Set<number>(), new Set<number>()];
    for (let i = 0; i < 100_000; i++) {
      const { low, high } = keyOf(...textsOf(i));
      lows.add(low);
      highs.add(high);
      middles.add((low << 16) | (high >>> 16));
    }
    // Among random 32-bit numbers, 1.2 would equal another.
    for (const { size } of [lows, highs, middles]) expect(size).toBeGreaterThan(99_980);
  }
});
