/** The data sets and texts of all benchmarks, seeded, so that every run is the same. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { ImportReport, openSources } from '#tables';
import { seeded } from '../../test/support/random.ts';
import { SR28_CSV } from '../../test/support/shared.ts';
import { recombined } from './corpus.ts';

export const SEED = 28;

/** The descriptions of the foods that an import keeps, in file order. */
export async function descriptionsIn(source: string): Promise<string[]> {
  const descriptions: string[] = [];
  for await (const batch of openSources([source], {}, new ImportReport()))
    for (const { description } of batch) descriptions.push(description);
  return descriptions;
}

/** The descriptions of SR28, or as many generated from them if more are wanted. */
export async function descriptionsOf(foods: number): Promise<string[]> {
  const real = await descriptionsIn(SR28_CSV);
  return foods <= real.length ? real : [...recombined(real, foods, SEED)];
}

/** Writes a CSV of the descriptions with arbitrary figures, if it is missing. */
export async function writeCsv(file: string, descriptions: readonly string[]): Promise<void> {
  if (existsSync(file)) return;
  const lines = descriptions.map((description, i) => {
    const [kcal, protein, carbohydrate] = [i % 900, (i % 1000) / 10, (i % 777) / 10];
    const fat = [(i % 3000) / 100, (i % 2900) / 100, (i % 31) / 10];
    return `"${description.replaceAll('"', '""')}",${[kcal, protein, carbohydrate, ...fat].join(',')}\n`;
  });
  const header = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g\n';
  await writeFile(`${file}.part`, header + lines.join(''));
  await rename(`${file}.part`, file);
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

/** 50,000 texts, repeated as by real users: the n-th of the first 2,000 occurs in proportion to 1/n (Zipf). */
export function repeated(texts: readonly string[]): string[] {
  const random = seeded(SEED);
  const frequent = texts.slice(0, 2000);
  return Array.from({ length: 50_000 }, () => {
    const share = random(1 << 30) / (1 << 30);
    return frequent[Math.floor(frequent.length ** share) - 1] ?? '';
  });
}
