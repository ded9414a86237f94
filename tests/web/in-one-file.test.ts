import { expect, test } from 'vitest';
import { inOneFile } from '../../src/web/build/in-one-file.ts';

/** The page that lies on a phone is one file: what is put into it, and what would be missing. */

type File = { type: 'asset' | 'chunk'; fileName: string; source?: string; code?: string };

const PAGE =
  '<html><head>\n<script type="module" crossorigin src="/a.js"></script>\n<link rel="stylesheet" href="/a.css">\n<link rel="stylesheet" href="/b.css"></head><body><!--sealed--></body></html>';
const page: File = { type: 'asset', fileName: 'index.html', source: PAGE };
const script: File = { type: 'chunk', fileName: 'a.js', code: 'go("</script><!-- $& -->")' };
const style = (fileName: string, source: string): File => ({ type: 'asset', fileName, source });
const ALL = [page, script, style('a.css', 'p{}'), style('b.css', 'q{}'), style('.vite/manifest.json', '{}')];

/** What becomes of a build's files. Throws what the build would end with. */
function built(files: readonly File[]): Record<string, File> {
  const bundle = Object.fromEntries(files.map((file) => [file.fileName, { ...file }]));
  const { generateBundle } = inOneFile() as unknown as {
    generateBundle: { handler: (options: object, bundle: object) => void };
  };
  const error = (why: string) => {
    throw new Error(why);
  };
  generateBundle.handler.call({ error }, {}, bundle);
  return bundle;
}

test('script and styles are in the page, and no files any more', () => {
  const bundle = built(ALL);
  expect(Object.keys(bundle).toSorted()).toEqual(['.vite/manifest.json', 'index.html']);
  expect(bundle['index.html']?.source).toBe(
    '<html><head><style>p{}\nq{}</style>\n</head><body><script>go("<\\/script><\\!-- $& -->")</script>\n<!--sealed--></body></html>',
  );
});

test.each<[string, File[], RegExp]>([
  ['no page', ALL.filter((file) => file !== page), /one page with one script/],
  ['no script', ALL.filter((file) => file !== script), /one page with one script/],
  ['two scripts', [...ALL, { ...script, fileName: 'b.js' }], /one page with one script/],
  ['a picture of its own', [...ALL, style('picture.png', 'x')], /^picture\.png would be/],
  ['no styles', [page, script], /has no styles/],
])('a build with %s ends', (_what, files, why) => {
  expect(() => built(files)).toThrow(why);
});
