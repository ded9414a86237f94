import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Checks that every path in README, CONTRIBUTING and the docs exists. */

const root = resolve(import.meta.dirname, '../..');
const FOLDERS = ['src', 'tests', 'docs', 'demo', 'scripts', 'ops'];

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'demo/README.md',
  ...readdirSync(resolve(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];

/** Every file and folder of the tree as a path from its root, starting with `/`. */
const knownPaths = FOLDERS.flatMap((folder) =>
  readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `/${folder}/${name.replaceAll('\\', '/')}`,
  ),
);

/** Returns the code spans of a page that look like a path; `{…}` and `<…>` are placeholders. */
function pathsIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);
  const whole = code.filter((name) => /^[\w@.-]+(\/[\w@.-]+)+\/?$/.test(name));
  return whole.filter(
    (name) => FOLDERS.includes(name.split('/')[0] ?? '') || /\.(tsx?|mjs|css|md)$/.test(name),
  );
}

/** Returns true if a path exists from the root, or as the end of one: `archive/rules.ts`. */
function isThere(path: string): boolean {
  const bare = path.replace(/\/$/, '');
  return existsSync(resolve(root, bare)) || knownPaths.some((place) => place.endsWith(`/${bare}`));
}

test.each(pages)('refers only to existing paths in %s', (page) => {
  const text = readFileSync(resolve(root, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => (link ?? attribute ?? '').replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
  expect(links.filter((link) => !existsSync(resolve(root, dirname(page), link)))).toEqual([]);
  expect(pathsIn(text).filter((path) => !isThere(path))).toEqual([]);
});

/** Comments cite a decision by its number, «(decision 016)», and the specification by its section, «(spec 4)». */
test('finds in comments only decisions and sections that exist', () => {
  const decisions = new Set(readdirSync(resolve(root, 'docs/decisions')).map((name) => name.slice(0, 3)));
  const map = readFileSync(resolve(root, 'docs/spec-map.md'), 'utf8');
  const sections = new Set([...map.matchAll(/^\| (\d) \|/gm)].map(([, section]) => section));
  const wrong = knownPaths
    .filter((path) => /\.(tsx?|mjs|cjs|css)$/.test(path) && !path.startsWith('/docs/'))
    .flatMap((path) => {
      const text = readFileSync(resolve(root, path.slice(1)), 'utf8');
      const cited = numbersAfter(text, /\bdecisions?/).filter((n) => !decisions.has(n.padStart(3, '0')));
      const spec = numbersAfter(text, /\bspec/).filter((n) => !sections.has(n.slice(0, 1)));
      return [...cited, ...spec].map((n) => `${path}: ${n}`);
    });
  expect(wrong).toEqual([]);
});

/** The numbers that follow a word in a text: «decisions 1, 2 and 3». */
function numbersAfter(text: string, word: RegExp): string[] {
  const cited = new RegExp(`${word.source} (\\d[\\d.]*(?:(?:, | and )\\d[\\d.]*)*)`, 'g');
  return [...text.matchAll(cited)].flatMap(([, list = '']) => list.match(/\d+(?:\.\d+)?/g) ?? []);
}
