import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHAT_PROBLEMS, shouldKeepSearching } from '../../src/domain/channels.ts';
import { EMPTY_VALUES, eachField } from '../../src/domain/configuration.ts';
import { csvOf, escapeFormula } from '../../src/domain/csv.ts';
import { CHAT_SEARCH, IMAGE_SECONDS, PHRASE_SECONDS } from '../../src/domain/limits.ts';
import { emphasisRuns, withoutMarkers } from '../../src/domain/phrases.ts';

describe('CSV', () => {
  const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];

  test.each(STARTS.map((start) => [JSON.stringify(start), start]))(
    'escapes a cell that starts with %s',
    (_name, start) => {
      expect(escapeFormula(`${start}HYPERLINK("http://example.org")`)).toBe(
        `'${start}HYPERLINK("http://example.org")`,
      );
    },
  );

  test.each([
    ['ROM;=1+1', "ROM;'=1+1"],
    ['a,@SUM(1)', "a,'@SUM(1)"],
    ['a;"=1+1"', `a;'"=1+1"`],
    ['a;-1+1', "a;'-1+1"],
  ])('escapes %j, a formula in a file opened with the other separator', (text, harmless) => {
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
    ['Ti amo', 'Ti amo'],
    ['Ti *amo*', 'Ti |<amo>'],
    ['*Ti amo* davvero.', '<Ti amo>| davvero.'],
    ['«*Sempre*», disse', '«|<Sempre>|», disse'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['un asterisco* solo', 'un asterisco* solo'],
    ['**', '**'],
    ['*due\nrighe*', '*due\nrighe*'],
    ['*una* e *due*', '<una>| e |<due>'],
    ['', ''],
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

describe('configuration defaults', () => {
  test('play the film at normal speed and contain no text', () => {
    expect(eachField(EMPTY_VALUES)).toMatchObject({
      video_playback_rate: 1,
      video_url: null,
      frasi: [],
      frasi_finali: null,
      durata_frase_secondi: PHRASE_SECONDS.default,
      durata_immagine_destinazione_secondi: IMAGE_SECONDS.default,
      frasi_secondi_esatti: [],
    });
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
