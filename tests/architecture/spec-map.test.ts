import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';

/** Holds docs/spec-map.md to its form: one row a feature, nothing that is told elsewhere. That its paths exist: docs.test.ts. */

const map = readFileSync(resolve(import.meta.dirname, '../../docs/spec-map.md'), 'utf8');
const rows = map.split('\n').filter((line) => /^\| (?!Section|---)/.test(line));

test('is short: no padding, no line numbers, at most 20 kB', () => {
  expect(Buffer.byteLength(map)).toBeLessThanOrEqual(20 * 1_024);
  expect(rows.filter((row) => / {2}|:\d+`/.test(row))).toEqual([]);
});

test('each feature says where it lives and which tests show it', () => {
  expect(rows.length).toBeGreaterThan(80);
  const lacking = rows.filter((row) => {
    const [, , where = '', tests = ''] = row.slice(2, -2).split(' | ');
    return !/`(src|scripts)\b/.test(where) || !/`tests\/[^`]+\.(test|spec)\.ts`/.test(tests);
  });
  expect(lacking).toEqual([]);
});

test('has every page', () => {
  expect(PAGES.filter((page) => !map.includes(`\`${page}\``))).toEqual([]);
});
