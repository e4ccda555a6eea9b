import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder that lives as long as the tests of a file. */
export function temporaryFolder() {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'food-lookup-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    path: (name: string) => join(folder, name),
    async write(name: string, content: string | Uint8Array): Promise<string> {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
  };
}
