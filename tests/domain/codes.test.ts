import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCode, normalizeCode } from '../../src/domain/codes.ts';
import { CODE } from '../../src/domain/limits.ts';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('normalizeCode', () => {
  test('leaves only A-Z and 0-9, and twice is as once', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const normalized = normalizeCode(typed);
        expect(normalized).toMatch(/^[A-Z0-9]*$/);
        expect(normalizeCode(normalized)).toBe(normalized);
      }),
      { numRuns: 20_000 },
    );
  });

  test('case, spaces and dashes make no difference', () => {
    const signs = fc.array(fc.constantFrom(...CODE.alphabet.split('')), { minLength: 1, maxLength: 20 });
    const between = fc.constantFrom('', ' ', '-', '–', '\u200b', '.', '\n');
    fc.assert(
      fc.property(
        signs,
        fc.array(fc.tuple(fc.boolean(), between), { minLength: 20, maxLength: 20 }),
        (code, ways) => {
          const typed = code
            .map((sign, n) => (ways[n]?.[0] ? sign.toLowerCase() : sign) + (ways[n]?.[1] ?? ''))
            .join('');
          expect(normalizeCode(typed)).toBe(code.join(''));
        },
      ),
    );
  });

  test.each([
    ['ı', 'I'],
    ['i', 'I'],
    ['ß', 'SS'],
    ['ſ', 'S'],
    ['ﬀ', 'FF'],
    ['ＲＯＭ', ''],
    ['РОМ', ''],
    ['R\u0000O\u202eM', 'ROM'],
    ['rom-é1', 'ROM1'],
  ])('%j becomes %j', (typed, normalized) => {
    expect(normalizeCode(typed)).toBe(normalized);
  });
});

const draw = () => newCode((max) => randomInt(max));

describe('newCode', () => {
  test('is ROM- and eight signs that are not mistaken for others', () => {
    for (let times = 0; times < 1_000; times += 1) expect(draw()).toMatch(/^ROM-[2-9A-HJKMNP-Z]{8}$/);
  });

  test('survives being typed', () => {
    const code = draw();
    expect(normalizeCode(code)).toBe(code.replace('-', ''));
  });

  test('draws every sign equally often, at every place', () => {
    const draws = 125_000;
    const counts = Array.from({ length: CODE.length }, () => new Map<string, number>());
    for (let times = 0; times < draws; times += 1) {
      const signs = draw().slice(CODE.prefix.length);
      for (const [place, count] of counts.entries()) {
        const sign = signs.charAt(place);
        count.set(sign, (count.get(sign) ?? 0) + 1);
      }
    }
    const expected = draws / CODE.alphabet.length;
    for (const count of counts) {
      const square = CODE.alphabet
        .split('')
        .reduce((sum, sign) => sum + ((count.get(sign) ?? 0) - expected) ** 2 / expected, 0);
      // Chi-square with 30 degrees of freedom: above 80 once in 500,000 times for a fair source (eight places are looked at).
      expect(square).toBeLessThan(80);
    }
  });

  test('uses the whole range it asks for and nothing else', () => {
    const asked: number[] = [];
    const last = newCode((max) => {
      asked.push(max);
      return max - 1;
    });
    expect(new Set(asked)).toEqual(new Set([CODE.alphabet.length]));
    expect(last).toBe(`ROM-${'Z'.repeat(8)}`);
    expect(newCode(() => 0)).toBe(`ROM-${'2'.repeat(8)}`);
  });
});
