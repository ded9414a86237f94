import { relative, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { htmlFallback } from './src/web/build/html-fallback.ts';
import { inlineAssets } from './src/web/build/in-one-file.ts';
import { leanXstate } from './src/web/build/lean-xstate.ts';
import { prerenderAccess } from './src/web/build/prerender.ts';
import { devSignIn } from './src/web/build/signed-in.ts';
import { sonnerStylesAsFile } from './src/web/build/sonner-styles.ts';
import { mainStyles } from './src/web/build/styles-of-main.ts';

const here = import.meta.dirname;
/** The oldest phones (docs/operations.md); those before them can read the scripts, too, and say so (src/web/old-phone.ts). */
const OLDEST = { target: 'es2020', cssTarget: ['safari15.4', 'chrome99'] };

/** Bytes: less isn't worth a second file. */
const SMALLEST_COMPRESSED = 512;
const root = resolve(here, 'src/web');
/** Of the server in development (scripts/dev.mjs). */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`;
const { DEV_SIGN_IN } = process.env;
/** A few lines each that the evening shares with pages of the administrator or with the keepsake: one request for all of them. */
const OF_THE_EVENING =
  /\/src\/(domain\/(content|exit-points|focus|golden|hand|itinerary|line-breaks|renditions)|texts\/(experience|evening-errors)|web\/(api\/live-events|ui\/(save-file|may-share|remove-when-gone)|visitor\/experience\/(back-guard|tickets-view)))\.tsx?/;

/** What comes beside the evening, and nothing waits for: one request. */
const ORNAMENTS =
  /\/src\/web\/(scenes\/(falling-hearts|constellation|hand)|visitor\/(experience\/(passing|curtain)|media\/sounds))\.tsx?/;

/** What each page begins with: one request, not seven. */
const OF_EVERY_PAGE =
  /\/node_modules\/react\/|\/src\/(domain\/(limits|time)|texts\/(dates|network)|web\/(api\/failure|ui\/(store|waiting)))\.ts/;

const web: UserConfig = {
  root,
  plugins: [
    react(),
    sonnerStylesAsFile(),
    leanXstate(),
    prerenderAccess(),
    mainStyles(),
    // Before the fallback, which gives the pages other addresses.
    DEV_SIGN_IN ? devSignIn(DEV_SIGN_IN, api) : null,
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
    ...OLDEST,
    outDir: resolve(here, 'dist/web'),
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
      transform: { assumptions: { setPublicClassFields: true } },
      input: ['index.html', 'app.html', 'admin.html'].map((page) => resolve(root, page)),
      // Shared with the workshop's previews, each scene would be a file of its own: a dozen requests on the evening's slow network.
      // What they stand on stays where it is: the access screen loads none of them.
      output: {
        // Every visitor is sent the list of them: their names, but for the first one's, are in the manifest alone.
        chunkFileNames: ({ name }) => `assets/${name === 'main' ? 'main-' : ''}[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'base', test: OF_EVERY_PAGE, includeDependenciesRecursively: false },
            { name: 'ornaments', test: ORNAMENTS, includeDependenciesRecursively: false },
            { name: 'scenes', test: /\/src\/web\/scenes\//, includeDependenciesRecursively: false },
            { name: 'evening', test: OF_THE_EVENING, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  // The web's own folder api/ is asked for by its modules' names, and no address of the server ends as they do.
  server: { proxy: { '^/api/(?!.*\\.tsx?(\\?|$))': api } },
};

/**
 * The page of the evening that is seen without the site (decision 077): one file with everything in it, which asks nobody for anything. Built into
 * the same folder as the rest of the web, after it.
 */
const planB: UserConfig = {
  root: resolve(root, 'plan-b'),
  plugins: [react(), sonnerStylesAsFile(), leanXstate(), inlineAssets()],
  build: {
    ...OLDEST,
    outDir: resolve(here, 'dist/web'),
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
      input: resolve(root, 'plan-b/plan-b.html'),
      output: { codeSplitting: false, format: 'iife' },
    },
  },
};

/** What is started by its path; `src/server/place.ts` finds them. */
const entries = [
  'src/cli/sorpresa',
  'src/server/media-worker/child/main',
  'src/server/media-worker/child/guard',
  'src/server/features/sharing/keeper',
];

const HIDDEN = "importAtRuntime('strtok3')";

/** file-type hides from bundlers what it reads files with, so that browsers go without. */
const withItsReader: Plugin = {
  name: 'file-type-with-its-reader',
  transform(code, id) {
    if (!id.endsWith('/file-type/source/index.js')) return null;
    if (!code.includes(HIDDEN)) throw new Error(`${id} reads files in another way now: look at it`);
    return code.replace(HIDDEN, "import('strtok3')");
  },
};

/**
 * The server for the release (scripts/release.mjs): compiled, with the packages it stands on inside, but for those that are programs for one kind
 * of machine, may be replaced by whoever runs it (libheif, LGPL) or read a file of their own (PDFium). See docs/decisions/051-the-release-is-one-bundle.md.
 */
const release: UserConfig = {
  root: here,
  logLevel: 'warn',
  plugins: [withItsReader],
  ssr: { noExternal: true, external: ['sharp', 'libheif-js', '@embedpdf/pdfium'], target: 'node' },
  build: {
    ssr: true,
    outDir: process.env.RELEASE_STAGE ?? resolve(here, 'dist/release'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    license: { fileName: 'third-party-server.json' },
    rolldownOptions: {
      input: Object.fromEntries(entries.map((name) => [name, resolve(here, `${name}.ts`)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'src/shared/[name]-[hash].js' },
    },
  },
};

/** `--mode plan-b`, `--mode release`; any other builds the web. */
export default defineConfig(({ mode }) => (mode === 'plan-b' ? planB : mode === 'release' ? release : web));

/**
 * The same class names in the prerendered page and in the bundle, whatever builds them. The file's path and nothing drawn from it: a hash can't be
 * compressed, and the scenes alone would be a tenth heavier.
 */
function scopedName(name: string, file: string): string {
  const path = relative(root, file.split('?')[0] ?? file).replace(/\.module\.css$/, '');
  return `${path.replaceAll(/[^\w-]+/g, '_')}_${name}`;
}
