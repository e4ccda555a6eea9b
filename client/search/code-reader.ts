/** The code on a packet that a camera sees: read by the browser where it can, else by a thread that is loaded now. */

interface NativeReader {
  detect(picture: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

declare const BarcodeDetector:
  | {
      new (options: { readonly formats: readonly string[] }): NativeReader;
      getSupportedFormats(): Promise<readonly string[]>;
    }
  | undefined;

/** Browsers offer a camera to pages on https and localhost only. */
export const CAN_SCAN =
  (navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia !== undefined &&
  ('BarcodeDetector' in window || ('WebAssembly' in window && 'Worker' in window));

const FORMATS = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'itf'];

/** ms between two pictures. */
const PAUSE = 100;

type Read = (video: HTMLVideoElement) => Promise<string | undefined>;

/**
 * The first code that the camera sees, after which the camera is off; undefined if the signal ends it before.
 * @throws DOMException if there is no camera, or the user does not allow it
 */
export async function scanCode(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  });
  try {
    video.srcObject = stream;
    await video.play();
    const read = (await nativeReader()) ?? threadReader(signal);
    while (!signal.aborted) {
      const code = await read(video);
      if (code !== undefined) return code;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}

async function nativeReader(): Promise<Read | undefined> {
  if (typeof BarcodeDetector === 'undefined') return undefined;
  const supported = await BarcodeDetector.getSupportedFormats();
  const formats = FORMATS.filter((format) => supported.includes(format));
  if (!formats.includes('ean_13')) return undefined;
  const reader = new BarcodeDetector({ formats });
  return async (video) => (await reader.detect(video))[0]?.rawValue;
}

function threadReader(signal: AbortSignal): Read {
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' });
  // One listener, however many pictures there are.
  let end: (code: undefined) => void = () => {};
  signal.onabort = () => {
    worker.terminate();
    end(undefined);
  };
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return (video) =>
    new Promise((found, failed) => {
      end = found;
      worker.onmessage = ({ data }: MessageEvent<{ readonly code?: string; readonly error?: string }>) =>
        data.error === undefined ? found(data.code) : failed(new Error(data.error));
      worker.onerror = () => failed(new Error('the reader of codes did not load'));
      [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
      context?.drawImage(video, 0, 0);
      worker.postMessage(context?.getImageData(0, 0, canvas.width, canvas.height));
    });
}
