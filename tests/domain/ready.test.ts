import { describe, expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import { eveningTime, lastTryDue } from '../../src/domain/evening-time.ts';
import { hasBegun } from '../../src/domain/ready.ts';
import { pageOf, partOf, REASON_IDS, type ReasonId } from '../../src/domain/ready-ids.ts';
import { type Tried, triedReasons } from '../../src/domain/ready-tried.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';

const NOW = new Date('2027-02-14T19:00:00.000Z');
const evening = { begins: NOW.getTime() + 20 * DAY_MS, ends: NOW.getTime() + 21 * DAY_MS };

/** Everything tried, and everything good. */
const GOOD: Tried = {
  files: [{ role: 'video', state: 'whole' }],
  address: {
    found: 'ours',
    isPlain: false,
    certificate: { isGood: true, until: '2028-01-01T00:00:00.000Z' },
  },
  telegram: 'good',
  email: 'unset',
  clockAheadMs: 900,
  rehearsal: 'seen',
  phones: ['good'],
};
const holding = (change: Partial<Tried>, begun = false) => {
  const found = triedReasons({ ...GOOD, ...change }, { evening, begun, now: NOW });
  return REASON_IDS.filter((id) => found[id] === true);
};
const address = (change: object) => ({
  address: { ...(GOOD.address as object), ...change } as Tried['address'],
});
const until = (ms: number) =>
  address({ certificate: { isGood: true, until: new Date(NOW.getTime() + ms).toISOString() } });

describe('what was tried', () => {
  test.each<[string, Partial<Tried>, ReasonId[]]>([
    ['everything good', {}, []],
    ['no address of its own', { address: 'unset' }, []],
    ['an address that wasn’t asked for', { address: null }, ['address_untried']],
    ['nobody there', address({ found: 'silent', certificate: null }), ['address_silent']],
    ['somebody else there', address({ found: 'other' }), ['address_other']],
    ['no https', address({ isPlain: true, certificate: null }), ['address_plain']],
    ['a certificate to be renewed in time', until(10 * DAY_MS), ['certificate_renewal']],
    ['a certificate that nobody renews', until(6 * DAY_MS), ['certificate_ends']],
    ['a certificate beyond the evening', until(22 * DAY_MS), []],
    ['a file that wasn’t tried', { files: [{ role: 'song', state: 'untried' }] }, ['files_untried']],
    ['a changed file', { files: [{ role: 'song', state: 'changed' }] }, ['song_broken']],
    ['a service that said nothing', { telegram: 'silent' }, ['channel_untried']],
    ['a clock a little ahead', { clockAheadMs: 119_000 }, []],
    ['a clock behind', { clockAheadMs: -121_000 }, ['clock']],
    ['nobody who told the time', { clockAheadMs: null }, ['clock_untold']],
    ['no rehearsal', { rehearsal: 'never' }, ['rehearsal_none']],
    ['a rehearsal before a change', { rehearsal: 'old' }, ['rehearsal_old']],
    ['no phone', { phones: [] }, ['phone_untried']],
    ['a phone that wasn’t tried to the end', { phones: ['unknown'] }, ['phone_untried']],
    ['a phone with something to beware of', { phones: ['beware', 'unknown'] }, ['phone_beware']],
    ['one phone that can’t and one that can', { phones: ['bad', 'good'] }, ['phone_bad']],
  ])('%s', (_what, change, expected) => expect(holding(change)).toEqual(expected));

  test('once it has begun nobody is asked to try beforehand', () => {
    expect(holding({ rehearsal: 'never', phones: ['bad'] }, true)).toEqual([]);
  });

  test('what is mended on a page of several parts leads to its part', () => {
    expect([pageOf('dates_1'), partOf('dates_1')]).toEqual(['/admin/biglietti', 'date']);
    expect([pageOf('trip_days_2'), partOf('trip_days_2')]).toEqual([
      '/admin/second-trip-details',
      'dettagli',
    ]);
    expect([pageOf('picture_1_broken'), partOf('picture_1_broken')]).toEqual(['/admin/immagine', null]);
  });

  test('every reason leads to a page that is there', () => {
    for (const id of REASON_IDS) expect(PAGES).toContain(pageOf(id));
  });
});

describe('when it is tried', () => {
  const at = (moment: string) => new Date(moment);
  const due = (moment: string, opens_at: string | null = null, data_laurea: string | null = null) => {
    const found = lastTryDue(eveningTime({ opens_at, data_laurea }), at(moment));
    return `${new Date(found.at).toISOString()} ${found.isNight ? 'night' : 'before'}`;
  };

  test('each night at half past three in Italy, whatever the season', () => {
    expect(due('2027-02-15T02:29:59.999Z')).toBe('2027-02-14T02:30:00.000Z night');
    expect(due('2027-02-15T02:30:00.000Z')).toBe('2027-02-15T02:30:00.000Z night');
    expect(due('2027-07-15T01:30:00.000Z')).toBe('2027-07-15T01:30:00.000Z night');
  });

  test('before the opening, or before the day begins in Italy', () => {
    const opens = '2027-02-20T20:00:00.000Z';
    expect(due('2027-02-19T20:00:00.000Z', opens)).toBe('2027-02-19T20:00:00.000Z before');
    expect(due('2027-02-20T18:00:00.000Z', opens)).toBe('2027-02-20T18:00:00.000Z before');
    expect(due('2027-02-20T19:45:00.000Z', opens)).toBe('2027-02-20T19:45:00.000Z before');
    expect(due('2027-02-18T23:00:00.000Z', null, '2027-02-20')).toBe('2027-02-18T23:00:00.000Z before');
    expect(due('2027-02-19T22:45:00.000Z', null, '2027-02-20')).toBe('2027-02-19T22:45:00.000Z before');
  });

  test('the evening ends with its day, or a visit’s life after it opened', () => {
    const opens_at = '2027-02-20T20:00:00.000Z';
    expect(eveningTime({ opens_at, data_laurea: null })?.ends).toBe(Date.parse(opens_at) + DAY_MS);
    expect(eveningTime({ opens_at, data_laurea: '2027-02-28' })?.ends).toBe(
      Date.parse('2027-02-28T23:00:00Z'),
    );
    expect(eveningTime({ opens_at: null, data_laurea: null })).toBeNull();
  });

  test('before the opening nobody has begun, whatever was tried out', () => {
    const later = new Date(NOW.getTime() + HOUR_MS).toISOString();
    expect(hasBegun('over', later, NOW)).toBe(false);
    expect(hasBegun('over', null, NOW)).toBe(true);
    expect(hasBegun('waiting', null, NOW)).toBe(false);
  });
});
