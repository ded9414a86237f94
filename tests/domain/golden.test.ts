import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenRuns, spoken } from '../../src/domain/golden.ts';

test.each([
  ['Ti amo', [['Ti amo', false]]],
  [
    'Ti *amo*',
    [
      ['Ti ', false],
      ['amo', true],
    ],
  ],
  [
    '*Ti amo* davvero.',
    [
      ['Ti amo', true],
      [' davvero.', false],
    ],
  ],
  [
    '«*Sempre*», disse',
    [
      ['«', false],
      ['Sempre', true],
      ['», disse', false],
    ],
  ],
  ['2 * 3 * 4', [['2 * 3 * 4', false]]],
  ['un asterisco* solo', [['un asterisco* solo', false]]],
  ['**', [['**', false]]],
  ['*due\nrighe*', [['*due\nrighe*', false]]],
  [
    '*una* e *due*',
    [
      ['una', true],
      [' e ', false],
      ['due', true],
    ],
  ],
  ['', []],
] as const)('%j', (phrase, runs) => {
  expect(goldenRuns(phrase)).toEqual(runs.map(([text, golden]) => ({ text, golden })));
});

test('nothing but asterisks is ever lost', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('*', 'a', ' ', '\n', 'parola')), (parts) => {
      const phrase = parts.join('');
      expect(spoken(phrase).replaceAll('*', '')).toBe(phrase.replaceAll('*', ''));
      expect(goldenRuns(spoken(phrase)).length).toBeLessThanOrEqual(goldenRuns(phrase).length);
    }),
  );
});
