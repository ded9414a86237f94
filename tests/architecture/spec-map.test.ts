import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';

/** Checks docs/spec-map.md: each feature's code and tests. docs.test.ts checks that its paths exist. */

const map = readFileSync(resolve(import.meta.dirname, '../../docs/spec-map.md'), 'utf8');
const rows = map.split('\n').filter((line) => /^\| (?!Section|---)/.test(line));

test('lists code and tests for each feature', () => {
  expect(rows.length).toBeGreaterThan(80);
  const incomplete = rows.filter((row) => {
    const [, , where = '', tests = ''] = row.slice(2, -2).split(' | ');
    return !/`(src|scripts)\b/.test(where) || !/`tests\/[^`]+\.(test|spec)\.tsx?`/.test(tests);
  });
  expect(incomplete).toEqual([]);
});

test('lists every page', () => {
  expect(PAGES.filter((page) => !map.includes(`\`${page}\``))).toEqual([]);
});
