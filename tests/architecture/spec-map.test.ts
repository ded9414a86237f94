import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const map = readFileSync(resolve(root, 'docs/spec-map.md'), 'utf8');
const named = [...map.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

test('every place the spec map names is there', () => {
  const sources = named.filter((name) => name.startsWith('src/'));
  const tests = named.filter((name) => /\.(test|spec)\.ts$/.test(name)).map((name) => `tests/${name}`);
  expect(sources.length).toBeGreaterThan(40);
  expect(tests.length).toBeGreaterThan(60);
  expect([...sources, ...tests].filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});
