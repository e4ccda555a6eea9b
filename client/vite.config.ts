import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses, so that the page works under any path.
  base: './',
  build: { outDir: '../dist/client', emptyOutDir: true, assetsInlineLimit: 0 },
});
