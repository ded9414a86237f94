import { describe, expect, test } from 'vitest';
import { eveningTime, lastCheckDue } from '../../src/domain/evening.ts';
import { DAY_MS } from '../../src/domain/limits.ts';
import type { PageFinding } from '../../src/domain/media.ts';
import { REASON_IDS, type ReasonId, reasonTarget } from '../../src/domain/readiness-reasons.ts';
import {
  type ProbeResults,
  probeReasons,
  readyVerdict,
  reasonsAgainst,
} from '../../src/domain/readiness-verdict.ts';
import { CODE, type Preparation, prepared } from './preparation.ts';

const NOW = new Date('2027-02-14T19:00:00.000Z');
const evening = { begins: NOW.getTime() + 20 * DAY_MS, ends: NOW.getTime() + 21 * DAY_MS };

/** All probes with good results. */
const GOOD: ProbeResults = {
  files: [{ role: 'video', state: 'whole' }],
  tickets: [{ viaggio: 1, pages: [{ finding: null }] }],
  address: {
    found: 'ours',
    isPlain: false,
    certificate: { isGood: true, until: '2028-01-01T00:00:00.000Z' },
  },
  sharing: 'none',
  telegram: 'good',
  email: 'unset',
  clockAheadMs: 900,
  rehearsal: 'seen',
  phones: ['good'],
};
const holding = (change: Partial<ProbeResults>, begun = false) => {
  const found = probeReasons({ ...GOOD, ...change }, { evening, begun, now: NOW });
  return REASON_IDS.filter((id) => found[id] === true);
};
const address = (change: object) => ({
  address: { ...(GOOD.address as object), ...change } as ProbeResults['address'],
});
const tickets = (viaggio: 1 | 2, ...findings: (PageFinding | null)[]) => ({
  tickets: [{ viaggio, pages: findings.map((finding) => ({ finding })) }],
});
const until = (ms: number) =>
  address({ certificate: { isGood: true, until: new Date(NOW.getTime() + ms).toISOString() } });

describe('probeReasons', () => {
  test.each<[string, Partial<ProbeResults>, ReasonId[]]>([
    ['everything good', {}, []],
    ['no address of its own', { address: 'unset' }, []],
    ['this computer, under the address that was given', { sharing: 'shared' }, ['shared_here']],
    [
      'another address than the one that was given',
      { sharing: 'changed' },
      ['address_changed', 'shared_here'],
    ],
    ['an address that wasn’t asked for', { address: null }, ['address_untried']],
    ['nobody there', address({ found: 'silent', certificate: null }), ['address_silent']],
    ['somebody else there', address({ found: 'other' }), ['address_other']],
    ['no https', address({ isPlain: true, certificate: null }), ['address_plain']],
    ['a certificate to be renewed in time', until(10 * DAY_MS), ['certificate_renewal']],
    ['a certificate that nobody renews', until(6 * DAY_MS), ['certificate_ends']],
    ['a certificate beyond the evening', until(22 * DAY_MS), []],
    ['a file that wasn’t tried', { files: [{ role: 'song', state: 'untried' }] }, ['files_untried']],
    ['a changed file', { files: [{ role: 'song', state: 'changed' }] }, ['song_broken']],
    ['tickets that aren’t drawn yet', { tickets: [{ viaggio: 1, pages: null }] }, ['files_untried']],
    ['tickets that can’t be drawn', tickets(2), ['tickets_2_unreadable']],
    ['a page that came out white', tickets(1, null, 'blank'), ['tickets_1_unreadable']],
    ['a picture that can’t be decoded', tickets(1, 'font', 'image'), ['tickets_1_unreadable']],
    ['a font that isn’t embedded', tickets(2, 'font', null), ['tickets_2_font']],
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
  ])('returns the reasons for %s', (_what, change, expected) => expect(holding(change)).toEqual(expected));

  test('asks for no preparation once the evening has begun', () => {
    expect(holding({ rehearsal: 'never', phones: ['bad'] }, true)).toEqual([]);
  });

  test('leads each reason to its page, and to its section if there are several', () => {
    expect(
      (['dates_1', 'trip_days_2', 'picture_1_broken'] as const).map((id) => Object.values(reasonTarget(id))),
    ).toEqual([
      ['/admin/biglietti', 'date'],
      ['/admin/second-trip-details', 'dettagli'],
      ['/admin/immagine', null],
    ]);
  });
});

/** A complete evening of one trip that opens on the afternoon of the 6th of March. */
const complete = (changes: object = {}) => prepared({ opens_at: '2027-03-06T17:00:00.000Z', ...changes });
const reasons = (preparation: Preparation, tried = GOOD) =>
  reasonsAgainst({ preparation, tried }, NOW).map(({ id, level }) => `${id} ${level}`);

describe('reasonsAgainst', () => {
  test.each<[string, Preparation, string[]]>([
    ['a trip that begins the day before', complete({ data_partenza: '5 marzo 2027' }), ['trip_days_1 red']],
    ['a trip of one day', complete({ data_ritorno: '6 marzo 2027' }), []],
    ['a way back before the way there', complete({ data_ritorno: '5 marzo 2027' }), ['trip_days_1 red']],
    ['a date that isn’t certain', complete({ data_partenza: 'in primavera' }), []],
    [
      'dates of a second trip that isn’t there',
      complete({ data_partenza_2: '1 marzo 2027' }),
      ['second_trip_unseen red'],
    ],
    ['a keepsake until the day itself', complete({ keepsake_until: '2027-03-06' }), []],
    ['one until the day before', complete({ keepsake_until: '2027-03-05' }), ['keepsake_before red']],
    ['no opening', complete({ opens_at: null }), ['opening_unset amber']],
    [
      'all of that once it has begun',
      complete({ opens_at: null, data_ritorno: '5 marzo 2027', begun: true }),
      [],
    ],
    [
      'advice, and what would only disappoint',
      complete({ canzone_url: null, reach: 'network' }),
      ['address amber', 'song amber'],
    ],
    ['titles that she would read a stand-in for', complete({ titolo_viaggio: '' }), ['titles_1 red']],
  ])('returns the reasons for %s', (_what, preparation, expected) =>
    expect(reasons(preparation).toSorted()).toEqual(expected),
  );

  test('lists the most severe first, with the page that fixes it', () => {
    const facts = {
      preparation: complete({ opens_at: null, video_url: null }),
      tried: { ...GOOD, phones: [] },
    };
    const found = reasonsAgainst(facts, NOW);
    expect(found.map(({ level }) => level)).toEqual(
      found
        .map(({ level }) => level)
        .toSorted()
        .toReversed(),
    );
    expect(found[0]).toMatchObject({ id: 'main_video', level: 'red', page: '/admin/video', part: null });
  });
});

describe('readyVerdict', () => {
  const usedUp = { usableCodes: 0, codes: [{ ...CODE, accessi_usati: 1 }] };
  const over = { ...usedUp, begun: true, over: true };

  test.each<[string, Partial<Preparation>, answer: string]>([
    ['is yes where nothing speaks against it', {}, 'ready'],
    [
      'is no where only this computer reaches it',
      { reach: 'machine' },
      'not_ready: red address_here /admin/rete',
    ],
    ['is yes in a home’s network', { reach: 'network' }, 'ready: amber address /admin/rete'],
    ['is no before the evening with the only code used up', usedUp, 'not_ready: red code_taken /admin/token'],
    ['is that it has taken place, once it has', over, 'over'],
  ])('%s', (_what, aside, answer) => {
    const preparation = complete(aside);
    const found = reasonsAgainst({ preparation, tried: GOOD }, NOW);
    const lines = found.map(({ level, id, page }) => `${level} ${id} ${page}`);
    expect([readyVerdict({ preparation }, found), ...lines].join(': ')).toBe(answer);
  });
});

describe('lastCheckDue', () => {
  const at = (moment: string) => new Date(moment);
  const due = (moment: string, opens_at: string | null = null, data_laurea: string | null = null) => {
    const found = lastCheckDue(eveningTime({ opens_at, data_laurea }), at(moment));
    return `${new Date(found.at).toISOString()} ${found.isNight ? 'night' : 'before'}`;
  };

  test('is each night at half past three in Italy, in any season', () => {
    expect(due('2027-02-15T02:29:59.999Z')).toBe('2027-02-14T02:30:00.000Z night');
    expect(due('2027-02-15T02:30:00.000Z')).toBe('2027-02-15T02:30:00.000Z night');
    expect(due('2027-07-15T01:30:00.000Z')).toBe('2027-07-15T01:30:00.000Z night');
  });

  test('is before the opening time, or before the day begins in Italy', () => {
    const opens = '2027-02-20T20:00:00.000Z';
    expect(due('2027-02-19T20:00:00.000Z', opens)).toBe('2027-02-19T20:00:00.000Z before');
    expect(due('2027-02-20T19:45:00.000Z', opens)).toBe('2027-02-20T19:45:00.000Z before');
    expect(due('2027-02-18T23:00:00.000Z', null, '2027-02-20')).toBe('2027-02-18T23:00:00.000Z before');
    expect(due('2027-02-19T22:45:00.000Z', null, '2027-02-20')).toBe('2027-02-19T22:45:00.000Z before');
  });

  test('eveningTime ends with its day, or a visit’s lifetime after the opening', () => {
    const opens_at = '2027-02-20T20:00:00.000Z';
    expect(eveningTime({ opens_at, data_laurea: null })?.ends).toBe(Date.parse(opens_at) + DAY_MS);
    expect(eveningTime({ opens_at, data_laurea: '2027-02-28' })?.ends).toBe(
      Date.parse('2027-02-28T23:00:00Z'),
    );
    expect(eveningTime({ opens_at: null, data_laurea: null })).toBeNull();
  });
});
