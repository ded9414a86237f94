import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accessVerdict,
  afterFailure,
  closingTime,
  isSiteClosed,
  type RateLimit,
  type TokenState,
  waitMs,
} from '../../src/domain/access.ts';
import { isBlank, withoutControls } from '../../src/domain/blank.ts';
import { formatForCard, intendedCode, newCode, normalizeCode } from '../../src/domain/codes.ts';
import { CODE } from '../../src/domain/limits.ts';

describe('codes', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

  describe('normalizeCode', () => {
    test('returns only A-Z and 0-9, and is idempotent', () => {
      fc.assert(
        fc.property(text, (typed) => {
          const normalized = normalizeCode(typed);
          expect(normalized).toMatch(/^[A-Z0-9]*$/);
          expect(normalizeCode(normalized)).toBe(normalized);
        }),
        { numRuns: 20_000 },
      );
    });

    test('ignores case, spaces and dashes', () => {
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
      ['ß', 'SS'],
      ['РОМ', ''],
      ['rom-é1', 'ROM1'],
    ])('turns %j into %j', (typed, normalized) => {
      expect(normalizeCode(typed)).toBe(normalized);
    });
  });

  describe('codeIn', () => {
    const INTENDED = 'ROM7KX2M9QD';
    test.each([
      'r0m-7kx2m9qd',
      'ROM–7KX2M9QD',
      '7kx2-m9qd',
      'ＲＯＭ－７ＫＸ２Ｍ９ＱＤ',
      '𝐑𝐎𝐌-𝟕𝐊𝐗𝟐𝐌𝟗𝐐𝐃',
      '\u2066ROM-7KX2\u200bM9QD\u2069',
      'Amore, apri https://sorpresa.example e scrivi ROM-7KX2M9QD ❤️',
      'Il codice èROM-7KX2M9QDTi aspetto',
      'ROM-7KX2M9QD, ripeto: rom-7kx2m9qd',
    ])('finds the code in %j', (text) => {
      expect(intendedCode(text)).toBe(INTENDED);
      expect(formatForCard(text)).toBe('ROM-7KX2M9QD');
    });

    test.each([
      ['two codes', 'ROM-7KX2M9QD o ROM-7KX2M9QE', 'ROM7KX2M9QDOROM7KX2M9QE'],
      ['a sign that lacks', 'ROM-7KX2M9Q', 'ROM7KX2M9Q'],
      ['a sign too many', '7KX2M9QDE', '7KX2M9QDE'],
      ['words', 'non lo so', 'NONLOSO'],
      ['other letters', 'РОМ', ''],
    ])('leaves %s unchanged', (_what, text, normalized) => {
      expect(intendedCode(text)).toBe(normalized);
      expect(formatForCard(text)).toBe(text);
    });
  });

  test.each(['', ' \n\t', '\u200b', '\ufeff\u00ad', '\u3164', '\u2800', '\u202e\u2066', '\ufe0f'])(
    'isBlank returns true for %j',
    (text) => expect(isBlank(text)).toBe(true),
  );
  test.each(['.', 'ж', '❤️', '👩‍❤️‍👨', '\u200ba'])('isBlank returns false for %j', (text) =>
    expect(isBlank(text)).toBe(false),
  );

  test.each([
    ['👩‍❤️‍👨 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽', '👩‍❤️‍👨 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽'],
    ['a\u200d\u202eb\r\n\u0000c', 'a b c'],
  ])('withoutControls keeps the joiners of %j', (text, plain) =>
    expect(withoutControls(text, ' ')).toBe(plain),
  );

  test('newCode draws eight characters, each from the whole alphabet', () => {
    const requested: number[] = [];
    const drawn = newCode((max) => {
      requested.push(max);
      return max - requested.length;
    });
    expect(requested).toEqual(Array(8).fill(CODE.alphabet.length));
    expect(drawn).toBe('ROM-ZYXWVUTS');
    expect(newCode(() => 0)).toBe('ROM-22222222');
  });
});

describe('access', () => {
  const NOW = new Date('2027-02-14T19:00:00.000Z');
  const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  const tokens: fc.Arbitrary<TokenState> = fc.record({
    attivo: fc.boolean(),
    scadenza: fc.option(
      instant.map((date) => date.toISOString()),
      { nil: null },
    ),
    max_accessi: fc.integer({ min: 1, max: 5 }),
    accessi_usati: fc.integer({ min: 0, max: 5 }),
  });

  describe('accessVerdict', () => {
    const code = { attivo: true, scadenza: null, max_accessi: 2, accessi_usati: 1 };
    const usedUp = { ...code, accessi_usati: 2 };
    const expired = { ...usedUp, scadenza: NOW.toISOString() };
    test.each<[string, TokenState | undefined, string]>([
      ['unknown', undefined, 'CODE_INVALID'],
      ['revoked, expired and used up', { ...expired, attivo: false }, 'CODE_INVALID'],
      ['expired and used up', expired, 'CODE_EXPIRED'],
      ['used up', usedUp, 'CODE_EXHAUSTED'],
      ['valid for another millisecond', { ...code, scadenza: '2027-02-14T19:00:00.001Z' }, 'ok'],
    ])('returns the verdict of a code that is %s', (_what, token, verdict) => {
      expect(accessVerdict(token, NOW)).toBe(verdict);
    });

    test('accepts exactly codes that are active, not expired and not used up', () => {
      fc.assert(
        fc.property(tokens, instant, (token, now) => {
          const expired = token.scadenza !== null && new Date(token.scadenza) <= now;
          const opens = token.attivo && !expired && token.accessi_usati < token.max_accessi;
          expect(accessVerdict(token, now) === 'ok').toBe(opens);
        }),
      );
    });

    test('never opens a closed code with more time or use', () => {
      fc.assert(
        fc.property(tokens, instant, fc.nat(10 ** 12), fc.nat(3), (token, now, later, uses) => {
          const then = new Date(now.getTime() + later);
          const worn = { ...token, accessi_usati: token.accessi_usati + uses };
          if (accessVerdict(worn, then) === 'ok') expect(accessVerdict(token, now)).toBe('ok');
        }),
      );
    });
  });

  describe('site closing', () => {
    test.each([
      ['2027-02-14', '2027-02-16T23:00:00.000Z'],
      ['2027-07-14', '2027-07-16T22:00:00.000Z'],
      // The nights in which Italian clocks go forward and back.
      ['2027-03-27', '2027-03-29T23:00:00.000Z'],
      ['2027-10-30', '2027-11-01T22:00:00.000Z'],
    ])('closes the site of a graduation on %s at %s', (day, closing) => {
      expect(closingTime(day)?.toISOString()).toBe(closing);
      expect(isSiteClosed(day, new Date(Date.parse(closing) - 1))).toBe(false);
      expect(isSiteClosed(day, new Date(closing))).toBe(true);
    });

    test('never closes the site without a date', () => {
      expect(isSiteClosed(null, new Date('9999-01-01'))).toBe(false);
    });
  });
});

describe('rate limit', () => {
  const LIMIT: RateLimit = { atOnce: 5, everyMs: 10_000 };

  describe('wrong answers', () => {
    test('allows the first ones immediately, then requires one pause each', () => {
      let forgiven = 0;
      const waits = [];
      for (let times = 0; times < 7; times += 1) {
        waits.push(waitMs(forgiven, LIMIT, 1_000));
        forgiven = afterFailure(forgiven, LIMIT, 1_000);
      }
      expect(waits).toEqual([0, 0, 0, 0, 0, 10_000, 10_000]);
    });

    test('never allows more than the limit in any time span', () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }), (pauses) => {
          let forgiven = 0;
          let now = 1_000_000;
          const failures: number[] = [];
          for (const pause of pauses) {
            now += pause;
            if (waitMs(forgiven, LIMIT, now) > 0) continue;
            forgiven = afterFailure(forgiven, LIMIT, now);
            failures.push(now);
          }
          for (const [n, from] of failures.entries())
            for (const [m, to] of failures.slice(n).entries())
              expect(m + 1).toBeLessThanOrEqual(LIMIT.atOnce + Math.floor((to - from) / LIMIT.everyMs));
        }),
      );
    });

    test('limits the wait to one pause after the clock was set back', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1e12 }), (ahead) => {
          const now = 1_000_000;
          const wait = waitMs(now + ahead, LIMIT, now);
          expect(wait).toBeLessThanOrEqual(LIMIT.everyMs);
          // Later checks don't restart the pause.
          expect(waitMs(now + ahead, LIMIT, now + 2 * LIMIT.everyMs)).toBeLessThanOrEqual(
            ahead > 7 * LIMIT.everyMs ? 0 : LIMIT.everyMs,
          );
          expect(afterFailure(now + ahead, LIMIT, now)).toBeLessThanOrEqual(now + 6 * LIMIT.everyMs);
        }),
      );
    });
  });
});
