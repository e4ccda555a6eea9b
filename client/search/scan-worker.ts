/**
 * Reads codes in pictures, where the browser cannot. In a thread, because WebAssembly needs a policy that the page should not have:
 * a thread has that of its own file.
 */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

const FORMATS = ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'ITF14'] as const;

prepareZXingModule({ overrides: { locateFile: () => new URL(wasm, import.meta.url).href } });

self.onmessage = async ({ data }: MessageEvent<ImageData>) => {
  try {
    const [found] = await readBarcodes(data, { formats: [...FORMATS], maxNumberOfSymbols: 1 });
    self.postMessage({ code: found?.text });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
