import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import * as limits from '../../src/domain/limits.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { experienceTexts } from '../../src/texts/experience.ts';

/** Holds docs/spec-map.md to what is there: what it names exists, and what must be in it is. */

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const map = read('docs/spec-map.md');
const named = new Set([...map.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));
const unnamed = (names: Iterable<string>) => [...names].filter((name) => !named.has(name));

test('every place the map names is there', () => {
  const paths = [...named].filter((name) => /^(src|tests|docs|demo|scripts)\//.test(name));
  expect(paths.filter((path) => path.startsWith('src/')).length).toBeGreaterThan(80);
  expect(paths.filter((path) => path.startsWith('tests/')).length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});

test('every test the map quotes is in its file', () => {
  const quoted = [...map.matchAll(/`(tests\/[^`\n]+)` › (.+?) *(?=·|\||\(|\n|\.$)/g)];
  expect(quoted.length).toBeGreaterThan(150);
  const missing = quoted.filter(([, path = '', words = '']) => !quotes(path, words));
  expect(missing.map(([, path, words]) => `${path} › ${words}`)).toEqual([]);
});

/** Do the words stand in one of the file's strings, as the names of tests do? */
function quotes(path: string, words: string): boolean {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`['\`][^\n]*${escaped}[^\n]*['\`]`).test(read(path));
}

test('every constant, refusal, sentence and page has its place in the map', () => {
  expect(unnamed(Object.keys(limits))).toEqual([]);
  expect(unnamed(Object.keys(errorSentences))).toEqual([]);
  expect(unnamed(Object.keys(experienceTexts))).toEqual([]);
  expect(unnamed(PAGES)).toEqual([]);
});

test('every table and column has its place in the map', () => {
  const columns = [...read('src/server/db/tables.ts').matchAll(/\b(\w+): (?:string|number|boolean)\b/g)];
  expect(columns.length).toBeGreaterThan(100);
  expect(unnamed(new Set(columns.map(([, column = '']) => column)))).toEqual([]);
  const tables = /type Tables = \{(.+?)\}/s.exec(read('src/server/db/tables.ts'))?.[1] ?? '';
  expect(unnamed([...tables.matchAll(/(\w+):/g)].map(([, table = '']) => table))).toEqual([]);
});

test('every sentence of the refusals and of the experience is in the map, word for word', () => {
  const fixed = [...Object.values(errorSentences), ...Object.values(experienceTexts)].filter(
    (text) => typeof text === 'string',
  );
  const known = fixed.filter((text) => !text.includes('{'));
  expect(known.length).toBeGreaterThan(40);
  expect(known.filter((text) => !map.includes(`'${text}'`))).toEqual([]);
});
