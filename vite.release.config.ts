import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/**
 * The server for the release (scripts/release.mjs): compiled, with the packages it stands on inside, but for those that are programs for one kind
 * of machine, may be replaced by whoever runs it (libheif, LGPL) or read a file of their own (PDFium). See docs/decisions/051-what-is-released.md.
 */

const root = import.meta.dirname;
/** What is started by its path; `src/server/place.ts` finds them. */
const entries = [
  'src/program/sorpresa',
  'src/server/media-worker/child/main',
  'src/server/media-worker/child/guard',
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

export default defineConfig({
  root,
  logLevel: 'warn',
  plugins: [withItsReader],
  ssr: { noExternal: true, external: ['sharp', 'libheif-js', '@embedpdf/pdfium'], target: 'node' },
  build: {
    ssr: true,
    outDir: process.env.RELEASE_STAGE ?? resolve(root, 'dist/release'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    license: { fileName: 'third-party-server.json' },
    rolldownOptions: {
      input: Object.fromEntries(entries.map((name) => [name, resolve(root, `${name}.ts`)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'src/shared/[name]-[hash].js' },
    },
  },
});
