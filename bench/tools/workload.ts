/** The data sets and texts of all benchmarks, seeded, so that every run is the same. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { fold } from '../../src/fold.ts';
import { openSources } from '../../src/readers/open-sources.ts';
import { readFoods } from '../../src/readers/read-foods.ts';
import { ImportReport } from '../../src/readers/report/report.ts';
import { seeded } from '../../test/support/random.ts';
import { Corpus } from './corpus.ts';

/** The folder of the real data, which is not part of the project. */
export const SHARED = '../shared';
export const SR28 = `${SHARED}/data/sr28.csv`;
/** Branded products of Open Food Facts. */
export const PRODUCTS = `${SHARED}/data/off-2019.csv.gz`;
const SEED = 28;
const REPEATED = { texts: 2000, requests: 50_000 };

/** The descriptions of SR28, or as many generated from them if more are wanted. */
export async function descriptionsOf(foods: number): Promise<string[]> {
  const real: string[] = [];
  for await (const { description } of readFoods(SR28)) real.push(description);
  return foods <= real.length ? real : [...new Corpus(real).descriptions(foods, SEED)];
}

/** The descriptions of the products that an import keeps, in file order. */
export async function productDescriptions(): Promise<string[]> {
  const descriptions: string[] = [];
  for await (const { description } of openSources([PRODUCTS], {}, new ImportReport()))
    descriptions.push(description);
  return descriptions;
}

/** Writes a CSV of the descriptions with arbitrary figures, if it is missing. */
export async function writeCsv(file: string, descriptions: readonly string[]): Promise<void> {
  if (await stat(file).catch(() => undefined)) return;
  const output = createWriteStream(file);
  output.write('description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g\n');
  for (const [i, description] of descriptions.entries()) {
    const figures = [
      i % 900,
      (i % 1000) / 10,
      (i % 777) / 10,
      (i % 3000) / 100,
      (i % 2900) / 100,
      (i % 31) / 10,
    ];
    const line = `"${description.replaceAll('"', '""')}",${figures.join(',')}\n`;
    if (!output.write(line)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}

/** Distinct texts of 1 to 14 characters: nine of ten occur in a description, the tenth is one reversed. */
export function textsOf(descriptions: readonly string[], count: number): string[] {
  const random = seeded(SEED);
  const texts = new Set<string>();
  while (texts.size < count) {
    const description = descriptions[random(descriptions.length)] ?? '';
    const start = random(description.length);
    const text = description.slice(start, start + 1 + random(14));
    texts.add(random(10) === 0 ? Array.from(text).toReversed().join('') : text);
  }
  texts.delete('');
  return [...texts];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Texts of 1 to 4 words of one description, in any order; in a sixth of them the last word is unfinished, and in another sixth
 * a word of five letters or more has one edit.
 */
export function wordTextsOf(descriptions: readonly string[], count: number): string[] {
  const random = seeded(SEED);
  const texts = new Set<string>();
  while (texts.size < count) {
    const all = fold(descriptions[random(descriptions.length)] ?? '').match(/[\p{L}\p{N}]+/gu) ?? [];
    const words = Array.from(
      { length: Math.min(all.length, 1 + random(4)) },
      () => all[random(all.length)] ?? '',
    );
    const kind = random(6);
    const at = random(words.length || 1);
    const last = words.length - 1;
    if (kind === 0) words[last] = words[last]?.slice(0, 1 + random(words[last].length)) ?? '';
    if (kind === 1 && (words[at]?.length ?? 0) >= 5) words[at] = edited(words[at] ?? '', random);
    texts.add(words.join(' '));
  }
  texts.delete('');
  return [...texts];
}

/** The word with one letter missing, replaced or added, or two swapped. */
export function edited(word: string, random: (below: number) => number): string {
  const at = random(word.length - 1);
  const letter = LETTERS[random(LETTERS.length)] ?? '';
  const [before, here, behind] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)];
  const edits = [behind, letter + behind, here + letter + behind, `${behind[0]}${here}${behind.slice(1)}`];
  return before + (edits[random(edits.length)] ?? '');
}

/** Texts repeated as by real users: the n-th of the first 2,000 occurs in proportion to 1/n (Zipf). */
export function repeated(texts: readonly string[], count = REPEATED.requests): string[] {
  const random = seeded(SEED);
  const frequent = texts.slice(0, REPEATED.texts);
  return Array.from({ length: count }, () => {
    const share = random(1 << 30) / (1 << 30);
    return frequent[Math.floor(frequent.length ** share) - 1] ?? '';
  });
}
