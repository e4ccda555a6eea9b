/**
 * Seeded data sets of any size. Descriptions are recombined from comma-separated segments of real ones, each in its original
 * position, so that words, lengths and repetitions resemble real data.
 */
import { seeded } from '../../test/support/random.ts';

/** Positions of segments; all later ones count as the last. */
const PLACES = 5;

export class Corpus {
  readonly #segments: string[][] = Array.from({ length: PLACES }, () => []);
  readonly #counts: number[] = [];

  /** @param vocabulary real descriptions */
  constructor(vocabulary: readonly string[]) {
    for (const description of vocabulary) {
      const segments = description.split(', ');
      for (const [place, segment] of segments.entries())
        this.#segments[Math.min(place, PLACES - 1)]!.push(segment);
      this.#counts.push(Math.min(segments.length, PLACES));
    }
  }

  *descriptions(count: number, seed: number): Generator<string> {
    const random = seeded(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
    for (let i = 0; i < count; i++) {
      // One segment fewer than in real ones, which gives the length of names in large data sets: about 35 characters.
      const segments = this.#segments.slice(0, Math.max(1, pick(this.#counts) - 1));
      yield segments.map(pick).join(', ');
    }
  }
}
