/** Sources as one script for a browser. */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

export async function bundled(input: string, minify = false): Promise<string> {
  const bundle = await rolldown({ input, platform: 'browser', tsconfig: './tsconfig.json' });
  const { output } = await bundle.generate({ format: minify ? 'es' : 'iife', minify });
  return output[0].code;
}

/** Bytes of what opens and searches an index. */
export interface BundleFigures {
  readonly bytes: number;
  readonly gzip: number;
}

export async function measureBundle(): Promise<BundleFigures> {
  const code = Buffer.from(await bundled('test/browser/engine-worker.ts', true));
  return { bytes: code.length, gzip: gzipSync(code).length };
}
