import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses, so that the page works under any path.
  base: './',
  plugins: [react()],
  // Assets stay files: the Content-Security-Policy allows no data: addresses.
  build: { outDir: '../dist/client', emptyOutDir: true, assetsInlineLimit: 0 },
});
