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
