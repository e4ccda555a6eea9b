import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** The licences of all software in the page. */
const NOTICES = 'licences.txt';

/**
 * Completes the notices that Vite writes. These cover only modules of packages: neither the typeface, which the style sheet
 * imports, nor the helpers of the bundler (`\0rolldown/runtime.js`).
 */
const otherNotices: Plugin = {
  name: 'other-notices',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const names = new Set<string>();
      for (const file of Object.values(bundle)) {
        const sources = file.type === 'asset' ? file.originalFileNames : file.moduleIds;
        const pattern = file.type === 'asset' ? /.*node_modules\/((?:@[^/]+\/)?[^/]+)/ : /^\0([\w-]+)\//;
        for (const source of sources) names.add(pattern.exec(source)?.[1] ?? '');
      }
      names.delete('');
      const notices = bundle[NOTICES];
      if (notices?.type !== 'asset') throw new Error(`Vite wrote no ${NOTICES}`);
      for (const name of [...names].toSorted()) {
        const read = (file: string) =>
          this.fs.readFile(`${this.environment.config.root}/../node_modules/${name}/${file}`, {
            encoding: 'utf8',
          });
        const { version, license } = JSON.parse(await read('package.json'));
        notices.source += `\n## ${name} - ${version} (${license})\n\n${(await read('LICENSE')).trim()}\n`;
      }
    },
  },
};

/** Writes compressed copies of all text beside it, `index.html.br` and `index.html.gz`; fonts are compressed already. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.fileName.endsWith('.woff2')) continue;
        const source = Buffer.from(file.type === 'asset' ? file.source : file.code);
        const copies = {
          br: brotliCompressSync(source),
          gz: gzipSync(source, { level: constants.Z_BEST_COMPRESSION }),
        };
        for (const [extension, copy] of Object.entries(copies))
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.${extension}`, source: copy });
      }
    },
  },
};

export default defineConfig({
  // Relative addresses, so that the page works under any path.
  base: './',
  plugins: [otherNotices, compressedCopies],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    // Assets stay files: the Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    // There is only one script.
    modulePreload: { polyfill: false },
    license: { fileName: NOTICES },
  },
});
