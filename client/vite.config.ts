import { promisify } from 'node:util';
import { brotliCompress, constants, gzipSync } from 'node:zlib';
import subsetFont from 'subset-font';
import { defineConfig, type Plugin, type Rollup } from 'vite';
import { bundled } from '../scripts/bundle.ts';
import { apiPage } from './api-page.ts';
import { inlined } from './inlined.ts';
import { textFiles } from './texts/languages.ts';

/** The licences of all software in the page. */
const NOTICES = 'licences.txt';

/** In the page, but not in the notices that Vite writes: the typeface, and the helpers of the bundler. */
const OTHERS = ['@fontsource-variable/inter', 'rolldown', 'zxing-wasm'];

/** It is compiled into zxing-wasm, and has the licence of TypeScript. */
const ZXING = 'zxing-cpp, https://github.com/zxing-cpp/zxing-cpp (Apache-2.0)';

const read = ({ fs }: Rollup.PluginContext, file: string) =>
  fs.readFile(`${import.meta.dirname}/../${file}`, { encoding: 'utf8' });

/** Completes the notices, and writes compressed copies of all text beside it: `index.html.br` and `index.html.gz`. */
const noticesAndCopies: Plugin = {
  name: 'notices-and-copies',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const notices = bundle[NOTICES];
      if (notices?.type !== 'asset') throw new Error(`Vite wrote no ${NOTICES}`);
      for (const name of OTHERS) {
        const { version, license } = JSON.parse(await read(this, `node_modules/${name}/package.json`));
        const text = await read(this, `node_modules/${name}/LICENSE`);
        notices.source += `\n## ${name} - ${version} (${license})\n\n${text.trim()}\n`;
      }
      notices.source += `\n## ${ZXING}\n\n${await read(this, 'node_modules/typescript/LICENSE')}\n`;
      const copied = Object.values(bundle).map(async (file) => {
        // Compressed already.
        if (/\.(?:woff2|png)$/.test(file.fileName)) return;
        const source = Buffer.from(file.type === 'asset' ? file.source : file.code);
        // The camera works over https alone, where browsers accept Brotli, or on the same machine.
        const isLarge = file.fileName.endsWith('.wasm');
        const copies = {
          br: await promisify(brotliCompress)(source),
          ...(!isLarge && { gz: gzipSync(source, { level: constants.Z_BEST_COMPRESSION }) }),
        };
        // The service makes the others of this one.
        if (isLarge) delete bundle[file.fileName];
        for (const [extension, copy] of Object.entries(copies))
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.${extension}`, source: copy });
      });
      await Promise.all(copied);
    },
  },
};

let page = '';

/** Puts docs/http-api.md into `docs.html`. Comments of pages are for those who write them. */
const apiPages: Plugin = {
  name: 'api-pages',
  async buildStart() {
    page = apiPage(await read(this, 'docs/http-api.md'));
  },
  transformIndexHtml: (html) =>
    html.replace(/<!-- (.*?) -->\s*/g, (_all, comment) => (comment === 'docs/http-api.md' ? page : '')),
};

/** The weights of the styles. Those between 100 and 900 would take 14 kB more of the first load. */
const WEIGHTS = { min: 400, max: 600, default: 400 };

/**
 * Those that the styles name, and those of every text but `calt`: raising what stands between capitals would take 4 kB of the
 * first load, and the features that nobody uses 2 kB.
 */
const FEATURES = ['cv05', 'ss03', 'tnum', 'kern', 'ccmp', 'locl', 'liga', 'rlig', 'mark', 'mkmk'];

const charactersTo = (end: number): string =>
  Array.from({ length: end }, (_, code) => String.fromCharCode(code)).join('');

const EVERY_CHARACTER = charactersTo(0xd800);

/** What the page's languages with Latin letters write. The others of this file, such as ‡, would take 6 kB of the first load. */
const WRITTEN = `${charactersTo(0x100)}Œœ–—‘’‚“”„…•‹›€™↑↓−\u2009\u202f`;

const typefaces: Plugin = {
  name: 'typefaces',
  async generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue;
      const options = {
        targetFormat: 'woff2' as const,
        variationAxes: { wght: WEIGHTS },
        keepFeatures: FEATURES,
      };
      const characters = file.fileName.includes('latin-ext') ? EVERY_CHARACTER : WRITTEN;
      file.source = await subsetFont(Buffer.from(file.source), characters, options);
    }
  },
};

/** What the page requests beside its script. */
const files: Plugin = {
  name: 'files',
  async generateBundle() {
    const emit = (fileName: string, source: string | Uint8Array) =>
      this.emitFile({ type: 'asset', fileName, source });
    emit('openapi.json', await read(this, 'docs/openapi.json'));
    // The words by which amounts are read, without what is said to those who write them.
    emit('amounts.txt', (await read(this, 'data/amounts.txt')).replace(/^#.*\n/gm, '').trim());
    // The page's own texts in each language but English.
    for (const name of textFiles())
      emit(name, JSON.stringify(JSON.parse(await read(this, `client/${name}`))));
    // The icons of the manifest that no page names.
    for (const name of ['icon-512.png', 'icon-maskable.png'])
      emit(name, await this.fs.readFile(`${import.meta.dirname}/${name}`));
    // Each worker is one script: it may share no file with the page, which is of another release for a while.
    for (const name of ['worker', 'leaving', 'answers'])
      emit(`${name}.js`, await bundled(`client/offline/${name}.ts`, 'iife'));
  },
};

export default defineConfig({
  // Relative addresses, so that the page works under any path.
  base: './',
  resolve: { alias: [{ find: /^#(\w+)$/, replacement: `${import.meta.dirname}/../src/$1/index.ts` }] },
  plugins: [apiPages, typefaces, inlined, files, noticesAndCopies],
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((page) => `${import.meta.dirname}/${page}`),
      // Compressing takes most of a build, which is no news to somebody who starts the service.
      checks: { pluginTimings: false },
      // Without a hash, so that every release has the files that the page of another one requests.
      output: { minify: true, assetFileNames: '[name][extname]' },
    },
    // Addresses in styles are then the same in a page.
    assetsDir: '',
    // Typefaces and pictures stay files: the Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    // There is only one script.
    modulePreload: { polyfill: false },
    license: { fileName: NOTICES },
  },
});
