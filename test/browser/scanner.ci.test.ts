/** The code of a packet by the camera: a made-up video in Chromium, which has no reader of its own on Linux. */
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { launchBrowser } from '../support/browser.ts';
import { expectTexts, expectValue, test } from '../support/client-page.ts';
import { temporaryFolder } from '../support/files.ts';
import { startForTest } from '../support/lifetime.ts';
import { box, foods } from '../support/page-parts.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { food, memoryCatalogOf } from '../support/service.ts';

const CODE = '4006381333931';
const WRITER = 'node_modules/zxing-wasm/dist/writer/zxing_writer.wasm';
const [WIDTH, HEIGHT] = [640, 480];

prepareZXingModule({ overrides: { wasmBinary: (await readFile(WRITER)).buffer as ArrayBuffer } });
const { symbol } = await writeBarcode(CODE, { format: 'EAN13', addQuietZones: false });
/** Whether each of the 95 modules is dark. */
const MODULES = Array.from(symbol.data.subarray(0, symbol.width), (light) => light === 0);

/** A video of one picture, with the bars in the middle; uncompressed, as Chromium reads it. */
function videoOf(modules: readonly boolean[]): Buffer {
  const [module, left] = [4, 120];
  const luma = Buffer.alloc(WIDTH * HEIGHT, 235);
  for (let y = 120; y < 360; y++)
    for (let x = left; x < left + module * modules.length; x++)
      if (modules[Math.floor((x - left) / module)]) luma[y * WIDTH + x] = 16;
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F30:1 Ip A1:1 C420jpeg\n`);
  const frame = [Buffer.from('FRAME\n'), luma, chroma];
  return Buffer.concat([header, ...frame, ...frame, ...frame]);
}

const folder = temporaryFolder();

const catalog = memoryCatalogOf([food('Muesli', { codes: [CODE] }), food('Milk')]);

/** A page whose camera sees these modules. */
async function pageWith(modules: readonly boolean[]) {
  const browser = await launchBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${await folder.save(videoOf(modules), 'y4m')}`,
  );
  onTestFinished(() => browser.close());
  const { url } = await startForTest(await catalog, { nodeEnv: 'production' });
  return { page: await browser.newPage(), url };
}

describeWithChromium('the camera', () => {
  test('finds the food of a packet, and is off afterwards', async () => {
    const { page, url } = await pageWith(MODULES);
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(url);
    await page.evaluate(() => {
      const { mediaDevices } = navigator;
      const ask = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = async (options) => {
        const stream = await ask(options);
        Object.assign(window, { stream });
        return stream;
      };
    });
    const scan = page.getByRole('button', { name: 'Scan the code of a packet' });
    await scan.waitFor();
    expect(requested.filter((path) => /scan|wasm/.test(path))).toEqual([]);
    await scan.click();
    await expectValue(box(page)).toBe(CODE);
    await expectTexts(foods(page).locator('.description')).toEqual(['Muesli']);
    expect(await page.getByRole('dialog', { name: /^Scan/ }).count()).toBe(0);
    const states = () =>
      page.evaluate(() =>
        (window as unknown as { stream: MediaStream }).stream.getTracks().map(({ readyState }) => readyState),
      );
    await expect.poll(states).toEqual(['ended']);
    expect(faults).toEqual([]);
  });

  test('ends its reader when it is closed, however many pictures were read', async () => {
    const { page, url } = await pageWith([]);
    await page.addInitScript(() => {
      const counts = { listeners: 0, pictures: 0 };
      Object.assign(window, { counts });
      const { addEventListener: listen } = AbortSignal.prototype;
      AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...given: unknown[]) {
        counts.listeners += 1;
        Reflect.apply(listen, this, given);
      };
      const { drawImage: draw } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.drawImage = function (...given: unknown[]) {
        counts.pictures += 1;
        Reflect.apply(draw, this, given);
      };
    });
    const counts = () => page.evaluate<Record<'listeners' | 'pictures', number>>('window.counts');
    await page.goto(url);
    await page.getByRole('button', { name: 'Scan the code of a packet' }).click();
    await expect.poll(async () => (await counts()).pictures).toBeGreaterThan(5);
    expect((await counts()).listeners).toBeLessThan(3);
    expect(page.workers()).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.workers()).toEqual([]);
  });

  test('that may not be used is explained', async ({ pages }) => {
    const page = await pages.openWith(await catalog);
    await page.getByRole('button', { name: 'Scan the code of a packet' }).click();
    await page.getByText('Type the digits').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog', { name: /^Scan/ }).count()).toBe(0);
  });
});
