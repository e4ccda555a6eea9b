/** Writes the index of the foods that ship with the project, which `food-lookup serve` opens if no data set is named. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readStarterFoods, STARTER_INDEX } from '#service';

await mkdir(dirname(STARTER_INDEX), { recursive: true });
await writeFile(STARTER_INDEX, (await readStarterFoods()).indexFile());
