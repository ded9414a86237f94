import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessVerdict, closingTime, isSiteClosed, type TokenState } from '../../src/domain/access.ts';

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
  const states = { attivo: [true, false], past: [true, false], usedUp: [true, false] };
  const matrix = states.attivo.flatMap((attivo) =>
    states.past.flatMap((past) => states.usedUp.map((usedUp) => ({ attivo, past, usedUp }))),
  );

  test.each(matrix)('%o', ({ attivo, past, usedUp }) => {
    const scadenza = past ? '2027-02-14T18:59:59.999Z' : '2027-02-14T19:00:00.001Z';
    const verdict = accessVerdict({ attivo, scadenza, max_accessi: 2, accessi_usati: usedUp ? 2 : 1 }, NOW);
    if (!attivo) expect(verdict).toBe('CODE_INVALID');
    else if (past) expect(verdict).toBe('CODE_EXPIRED');
    else expect(verdict).toBe(usedUp ? 'CODE_EXHAUSTED' : 'ok');
  });

  test('an unknown code is as a revoked one', () => {
    expect(accessVerdict(undefined, NOW)).toBe('CODE_INVALID');
  });

  test('at the very instant it has expired; without a date it never does', () => {
    const token = { attivo: true, max_accessi: 1, accessi_usati: 0 };
    expect(accessVerdict({ ...token, scadenza: NOW.toISOString() }, NOW)).toBe('CODE_EXPIRED');
    expect(accessVerdict({ ...token, scadenza: null }, new Date('9999-01-01'))).toBe('ok');
  });

  test('opens exactly what is active, not expired and not used up', () => {
    fc.assert(
      fc.property(tokens, instant, (token, now) => {
        const expired = token.scadenza !== null && new Date(token.scadenza) <= now;
        const opens = token.attivo && !expired && token.accessi_usati < token.max_accessi;
        expect(accessVerdict(token, now) === 'ok').toBe(opens);
      }),
    );
  });

  test('time and use only ever close', () => {
    fc.assert(
      fc.property(tokens, instant, fc.nat(10 ** 12), fc.nat(3), (token, now, later, uses) => {
        const then = new Date(now.getTime() + later);
        const worn = { ...token, accessi_usati: token.accessi_usati + uses };
        if (accessVerdict(worn, then) === 'ok') expect(accessVerdict(token, now)).toBe('ok');
      }),
    );
  });
});

describe('the site', () => {
  test.each([
    ['2027-02-14', '2027-02-16T23:00:00.000Z'],
    ['2027-07-14', '2027-07-16T22:00:00.000Z'],
    // The night in which Italian clocks go forward, and the one in which they go back.
    ['2027-03-27', '2027-03-29T23:00:00.000Z'],
    ['2027-10-30', '2027-11-01T22:00:00.000Z'],
    ['2028-02-29', '2028-03-02T23:00:00.000Z'],
  ])('of a graduation on %s closes at %s', (day, closing) => {
    expect(closingTime(day)?.toISOString()).toBe(closing);
    expect(isSiteClosed(day, new Date(Date.parse(closing) - 1))).toBe(false);
    expect(isSiteClosed(day, new Date(closing))).toBe(true);
  });

  test('never closes without a date', () => {
    expect(isSiteClosed(null, new Date('9999-01-01'))).toBe(false);
  });
});
