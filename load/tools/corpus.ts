/**
 * Seeded data sets of any size. Descriptions are recombined from comma-separated segments of real ones, each in its original
 * position, so that words, lengths and repetitions resemble real data.
 */
import { seeded } from '../../test/support/random.ts';

/** Positions of segments; all later ones count as the last. */
const PLACES = 5;

/** @param vocabulary real descriptions */
export function* recombined(vocabulary: readonly string[], count: number, seed: number): Generator<string> {
  const places = Array.from({ length: PLACES }, (): string[] => []);
  const counts = vocabulary.map((description) => {
    const segments = description.split(', ');
    for (const [place, segment] of segments.entries()) places[Math.min(place, PLACES - 1)]!.push(segment);
    return Math.min(segments.length, PLACES);
  });
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  // One segment fewer than in real ones, which gives the length of names in large data sets: about 35 characters.
  for (let i = 0; i < count; i++)
    yield places
      .slice(0, Math.max(1, pick(counts) - 1))
      .map(pick)
      .join(', ');
}
