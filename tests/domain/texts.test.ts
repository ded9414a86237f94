import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAT_PROBLEMS, shouldKeepSearching } from '../../src/domain/channels.ts';
import { csvOf, escapeFormula } from '../../src/domain/csv.ts';
import { CHAT_SEARCH } from '../../src/domain/limits.ts';
import { emphasisRuns, withoutMarkers } from '../../src/domain/phrases.ts';

describe('CSV', () => {
  const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];

  test.each([
    ['=1+1', "'=1+1"],
    ['a,@SUM(1)', "a,'@SUM(1)"],
    ['a;"=1+1"', `a;'"=1+1"`],
    ['a;-1+1', "a;'-1+1"],
  ])('escapes %j, a formula also in a file opened with the other separator', (text, harmless) => {
    expect(escapeFormula(text)).toBe(harmless);
  });

  test('quotes every cell and uses the separator', () => {
    const rows = [['a;b', 'è "vero"', '=1'], ['due\nrighe']];
    expect(csvOf(rows, ',')).toBe(`"a;b","è ""vero""","'=1"\r\n"due\nrighe"\r\n`);
    expect(csvOf(rows, ';')).toBe(`"a;b";"è ""vero""";"'=1"\r\n"due\nrighe"\r\n`);
  });

  const unchanged = ['', 'ROM-ABCD', '1-2', 'a=b', ' =1', 'è vero', "'già", '–5', 'ti amo ;-)', 'sì, -poco'];
  test.each(unchanged)('leaves %j unchanged', (text) => {
    expect(escapeFormula(text)).toBe(text);
  });

  test('never starts a cell as a formula, and loses no text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.constantFrom(...STARTS), fc.string({ unit: 'binary' })).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (cell) => {
        const harmless = escapeFormula(cell);
        expect(STARTS.some((start) => harmless.startsWith(start))).toBe(false);
        expect(harmless.replaceAll("'", '')).toBe(cell.replaceAll("'", ''));
      }),
    );
  });
});

describe('emphasis', () => {
  test.each([
    ['Ti *amo*', 'Ti |<amo>'],
    ['*Ti amo* davvero.', '<Ti amo>| davvero.'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['un asterisco* solo', 'un asterisco* solo'],
    ['*due\nrighe*', '*due\nrighe*'],
    ['*una* e *due*', '<una>| e |<due>'],
  ])('splits %j into runs', (phrase, runs) => {
    expect(
      emphasisRuns(phrase)
        .map(({ text, emphasized }) => (emphasized ? `<${text}>` : text))
        .join('|'),
    ).toBe(runs);
  });

  test('loses nothing but asterisks', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('*', 'a', ' ', '\n', 'parola')), (parts) => {
        const phrase = parts.join('');
        expect(withoutMarkers(phrase).replaceAll('*', '')).toBe(phrase.replaceAll('*', ''));
        expect(emphasisRuns(withoutMarkers(phrase)).length).toBeLessThanOrEqual(emphasisRuns(phrase).length);
      }),
    );
  });
});

describe('chat search', () => {
  test('continues until the maximum, and stops at problems that need an action', () => {
    expect(shouldKeepSearching(1, null)).toBe(true);
    expect(shouldKeepSearching(CHAT_SEARCH.maxPolls - 1, null)).toBe(true);
    expect(shouldKeepSearching(CHAT_SEARCH.maxPolls, null)).toBe(false);
    expect(CHAT_PROBLEMS.filter((problem) => shouldKeepSearching(1, problem))).toEqual(['UNREACHABLE']);
    expect(shouldKeepSearching(CHAT_SEARCH.maxPolls, 'UNREACHABLE')).toBe(false);
  });
});
