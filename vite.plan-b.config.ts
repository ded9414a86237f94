import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inOneFile } from './src/web/build/in-one-file.ts';
import { sonnerStylesAsFile } from './src/web/build/sonner-styles.ts';

/**
 * The page of the evening that is seen without the site (decision 077): one file with everything in it, which asks nobody for anything. Built into
 * the same folder as the rest of the web, after it.
 */
export default defineConfig({
  root: resolve(import.meta.dirname, 'src/web/plan-b'),
  plugins: [react(), sonnerStylesAsFile(), inOneFile()],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: false,
    copyPublicDir: false,
    license: { fileName: '.vite/plan-b-license.json' },
    // Otherwise a script of this form puts its styles in by itself, which the policy forbids.
    cssCodeSplit: false,
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    chunkSizeWarningLimit: 10_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // There is none in a script of this form; who asks for it is content without.
      transform: { define: { 'import.meta': '{}' } },
      input: resolve(import.meta.dirname, 'src/web/plan-b/plan-b.html'),
      output: { codeSplitting: false, format: 'iife' },
    },
  },
});
