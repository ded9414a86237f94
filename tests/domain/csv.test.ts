import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmlessCell } from '../../src/domain/csv.ts';

const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];

test.each(STARTS.map((start) => [JSON.stringify(start), start]))(
  'a cell that starts with %s is defused',
  (_name, start) => {
    expect(harmlessCell(`${start}HYPERLINK("http://example.org")`)).toBe(
      `'${start}HYPERLINK("http://example.org")`,
    );
  },
);

test.each(['', 'ROM-ABCD', '1-2', 'a=b', ' =1', 'è vero', "'già", '–5'])('%j stays as it is', (text) => {
  expect(harmlessCell(text)).toBe(text);
});

test('whatever the text, no cell starts as a formula, and nothing of the text is lost', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.constantFrom(...STARTS), fc.string({ unit: 'binary' })).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (cell) => {
      const harmless = harmlessCell(cell);
      expect(STARTS.some((start) => harmless.startsWith(start))).toBe(false);
      expect([cell, `'${cell}`]).toContain(harmless);
    }),
  );
});
