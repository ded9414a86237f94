import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';

/** docs/spec-map.md: where each feature is, and which tests show it. That its paths exist: docs.test.ts. */

const map = readFileSync(resolve(import.meta.dirname, '../../docs/spec-map.md'), 'utf8');
const rows = map.split('\n').filter((line) => /^\| (?!Section|---)/.test(line));

test('each feature says where it lives and which tests show it', () => {
  expect(rows.length).toBeGreaterThan(80);
  const lacking = rows.filter((row) => {
    const [, , where = '', tests = ''] = row.slice(2, -2).split(' | ');
    return !/`(src|scripts)\b/.test(where) || !/`tests\/[^`]+\.(test|spec)\.tsx?`/.test(tests);
  });
  expect(lacking).toEqual([]);
});

test('has every page', () => {
  expect(PAGES.filter((page) => !map.includes(`\`${page}\``))).toEqual([]);
});
