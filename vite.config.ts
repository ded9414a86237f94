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
/**
 * The oldest supported phones (docs/operations.md). Older ones can parse the scripts, which show a message
 * (src/web/old-phone.ts).
 */
const OLDEST = { target: 'es2020', cssTarget: ['safari15.4', 'chrome99'] };

/** Bytes; smaller files are not compressed. */
const SMALLEST_COMPRESSED = 512;
const root = resolve(here, 'src/web');
/** Address of the development server (scripts/dev.mjs). */
const api = `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`;
const { DEV_SIGN_IN } = process.env;
/** Small modules that the evening shares with administration pages or the keepsake: one request for all of them. */
const OF_THE_EVENING =
  /\/src\/(domain\/(content|itinerary|phrases|pictures)|texts\/experience|web\/(api\/live-events|ui\/(save-file|may-share|remove-when-gone)|visitor\/experience\/(back-guard|tickets-view)))\.tsx?/;

/** Ornaments of the evening that nothing waits for: one request. */
const ORNAMENTS =
  /\/src\/web\/(scenes\/(falling-hearts|constellation|hand)|visitor\/(experience\/(passing|curtain)|media\/sounds))\.tsx?/;

/** The scenes. The dashboard has them and some ornaments: a style of the ornaments elsewhere would load the whole evening. */
const SCENES = /\/src\/web\/(scenes\/|visitor\/experience\/passing\.module\.css)/;

/** Modules that each page starts with: one request, not seven. */
const OF_EVERY_PAGE =
  /\/node_modules\/react\/|\/src\/(domain\/limits|texts\/dates|web\/(api\/failure|ui\/(store|waiting)))\.ts/;

const web: UserConfig = {
  root,
  plugins: [
    react(),
    sonnerStylesAsFile(),
    leanXstate(),
    prerenderAccess(),
    mainStyles(),
    // Before the fallback, which rewrites the addresses of the pages.
    DEV_SIGN_IN ? devSignIn(DEV_SIGN_IN, api) : null,
    htmlFallback(),
    // Compresses at build time, because the best compression takes seconds, too long for a first visit.
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
    // Licences of the bundled code, for the release.
    license: { fileName: '.vite/license.json' },
    // The content security policy allows nothing inline, data: URLs included.
    assetsInlineLimit: 0,
    // scripts/budget.mjs limits the size of the pages; the PDF reader loads only when tickets are viewed.
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      transform: { assumptions: { setPublicClassFields: true } },
      input: ['index.html', 'app.html', 'admin.html'].map((page) => resolve(root, page)),
      // Otherwise each scene, shared with the administrator's previews, would be a separate file: a dozen requests on
      // the evening's slow network. Their dependencies are not moved, because the access screen loads no scene.
      output: {
        // Every visitor receives the list of chunks. Only the first one has a name; the other names are only in the
        // manifest.
        chunkFileNames: ({ name }) => `assets/${name === 'main' ? 'main-' : ''}[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'base', test: OF_EVERY_PAGE, includeDependenciesRecursively: false },
            { name: 'ornaments', test: ORNAMENTS, includeDependenciesRecursively: false },
            { name: 'scenes', test: SCENES, includeDependenciesRecursively: false },
            { name: 'evening', test: OF_THE_EVENING, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  // Requests for modules of the web's own folder api/ end in .ts or .tsx; addresses of the server never do.
  server: { proxy: { '^/api/(?!.*\\.tsx?(\\?|$))': api } },
};

/**
 * The page of Piano B, which works without the site (decision 077): one file with all its content and no requests.
 * Built into the web's folder, after the web.
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
    // Otherwise a script of this format inserts its styles itself, which the policy forbids.
    cssCodeSplit: false,
    assetsInlineLimit: Number.POSITIVE_INFINITY,
    chunkSizeWarningLimit: 10_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A script of this format has no import.meta; its users work without it.
      transform: { define: { 'import.meta': '{}' } },
      input: resolve(root, 'plan-b/plan-b.html'),
      output: { codeSplitting: false, format: 'iife' },
    },
  },
};

/** Modules that are started by their path; `src/server/place.ts` finds them. */
const entries = [
  'src/cli/sorpresa',
  'src/server/media-worker/child/main',
  'src/server/media-worker/child/guard',
  'src/server/features/sharing/keeper',
];

const HIDDEN = "importAtRuntime('strtok3')";

/** Includes the file reader of file-type, which hides it from bundlers so that browsers do not load it. */
const withItsReader: Plugin = {
  name: 'file-type-with-its-reader',
  transform(code, id) {
    if (!id.endsWith('/file-type/source/index.js')) return null;
    if (!code.includes(HIDDEN)) throw new Error(`${id} reads files in another way now: look at it`);
    return code.replace(HIDDEN, "import('strtok3')");
  },
};

/**
 * The server of `npm start`, `npm run demo` and the release: compiled and bundled with its packages, except
 * platform-specific programs, a replaceable library (libheif, LGPL) and PDFium, which reads a file of its package. See
 * docs/decisions/051-the-release-is-one-bundle.md.
 */
const server: UserConfig = {
  root: here,
  logLevel: 'warn',
  plugins: [withItsReader],
  ssr: { noExternal: true, external: ['sharp', 'libheif-js', '@embedpdf/pdfium'], target: 'node' },
  build: {
    ssr: true,
    outDir: process.env.RELEASE_STAGE ?? resolve(here, 'dist/server'),
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

/** `--mode plan-b`, `--mode server`; any other mode builds the web. */
export default defineConfig(({ mode }) => (mode === 'plan-b' ? planB : mode === 'server' ? server : web));

/**
 * Returns the same class name in the prerendered page and in the bundle, for any builder. It contains the file's path,
 * not a hash: a hash cannot be compressed, and the scenes alone would be a tenth larger.
 */
function scopedName(name: string, file: string): string {
  const path = relative(root, file.split('?')[0] ?? file).replace(/\.module\.css$/, '');
  return `${path.replaceAll(/[^\w-]+/g, '_')}_${name}`;
}
