import { relative, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { htmlFallback } from './src/web/build/html-fallback.ts';
import { prerenderAccess } from './src/web/build/prerender.ts';
import { signedIn } from './src/web/build/signed-in.ts';
import { sonnerStylesAsFile } from './src/web/build/sonner-styles.ts';
import { stylesOfMain } from './src/web/build/styles-of-main.ts';

/** Bytes: less isn't worth a second file. */
const SMALLEST_COMPRESSED = 512;
const root = resolve(import.meta.dirname, 'src/web');
/** Of the server in development (scripts/dev.mjs). */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`;
const { DEV_SIGN_IN } = process.env;
/** A few lines each that the evening shares with pages of the administrator or with the keepsake: one request for all of them. */
const OF_THE_EVENING =
  /\/src\/(domain\/(focus|golden|renditions)|texts\/(experience|evening-errors)|web\/ui\/(save-file|may-share|remove-when-gone)|web\/visitor\/experience\/back-guard)\.ts/;

export default defineConfig({
  root,
  plugins: [
    react(),
    sonnerStylesAsFile(),
    prerenderAccess(),
    stylesOfMain(),
    // Before the fallback, which gives the pages other addresses.
    DEV_SIGN_IN ? signedIn(DEV_SIGN_IN, api) : null,
    htmlFallback(),
    // The server hands these out: compressing a page as small as it gets takes seconds, which nobody waits for at a first visit.
    compression({
      threshold: SMALLEST_COMPRESSED,
      include: /\.(js|mjs|css|html|svg|json)$/,
      exclude: /^\.vite/,
    }),
  ],
  css: { modules: { generateScopedName: scopedName } },
  optimizeDeps: { exclude: ['sonner'] },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: true,
    // Whose code is in it, for the release.
    license: { fileName: '.vite/license.json' },
    // The content security policy allows nothing inline, data: URLs included.
    assetsInlineLimit: 0,
    // What weighs on a page is weighed by scripts/budget.mjs; the reader of PDF tickets comes only when they are looked at.
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'app.html', 'admin.html'].map((page) => resolve(root, page)),
      // Shared with the workshop's previews, each scene would be a file of its own: a dozen requests on the evening's slow network.
      // What they stand on stays where it is: the access screen loads none of them.
      output: {
        // Every visitor is sent the list of them: their names, but for the first one's, are in the manifest alone.
        chunkFileNames: ({ name }) => `assets/${name === 'main' ? 'main-' : ''}[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'scenes', test: /\/src\/web\/scenes\//, includeDependenciesRecursively: false },
            { name: 'evening', test: OF_THE_EVENING, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  // The web's own folder api/ is asked for by its modules' names, and no address of the server ends as they do.
  server: { proxy: { '^/api/(?!.*\\.tsx?(\\?|$))': api } },
});

/**
 * The same class names in the prerendered page and in the bundle, whatever builds them. The file's path and nothing drawn from it: a hash can't be
 * compressed, and the scenes alone would be a tenth heavier.
 */
function scopedName(name: string, file: string): string {
  const path = relative(root, file.split('?')[0] ?? file).replace(/\.module\.css$/, '');
  return `${path.replaceAll(/[^\w-]+/g, '_')}_${name}`;
}
