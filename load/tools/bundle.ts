/** The size of the engine as a script for a browser. */
import { gzipSync } from 'node:zlib';
import { bundled } from '../../scripts/bundle.ts';

/** Bytes of what opens and searches an index. */
export async function measureBundle() {
  const code = Buffer.from(await bundled('test/browser/engine-worker.ts', 'es'));
  return { bytes: code.length, gzip: gzipSync(code).length };
}
