import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSecondTrip, NO_FILE_FACTS, shownPhrases } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { readiness } from '../../src/domain/readiness.ts';
import type { ReadinessId, ReadinessState } from '../../src/domain/readiness-reasons.ts';
import { snapshots } from '../support/snapshots.ts';
import {
  CODE,
  NO_SETTINGS,
  OTHER_FACTS,
  type Preparation,
  prepared,
  SECOND_TRIP,
  SETTINGS,
  unprepared,
} from './preparation.ts';

const NOW = new Date('2026-06-10T10:00:00Z');
const MAIL = { smtp_host: 'smtp.example', email_from: 'a@smtp.example', email_to: 'b@smtp.example' };
const until = (scadenza: string) => ({ ...CODE, scadenza });

const states = (preparation: Preparation, now = NOW) =>
  Object.fromEntries(readiness(preparation, now).map(({ id, state }) => [id, state]));
const incomplete = (preparation: Preparation, now = NOW) =>
  readiness(preparation, now)
    .filter(({ state }) => state !== 'ready')
    .map(({ id, state }) => `${id} ${state}`);

describe('readiness', () => {
  test('reports three missing items, advice for the rest, and nothing about a second trip for an empty surprise', () => {
    expect(states(unprepared())).toEqual({
      main_video: 'missing',
      post_phrases: 'missing',
      usable_code: 'missing',
      address: 'ready',
      pre_phrases: 'advice',
      song: 'advice',
      picture_1: 'advice',
      titles_1: 'advice',
      tickets_1: 'advice',
      dates_1: 'advice',
      questions_1: 'advice',
      closing_phrases: 'advice',
      notifications: 'advice',
      contact: 'advice',
      graduation_date: 'advice',
    } satisfies Partial<Record<ReadinessId, ReadinessState>>);
  });

  test('reports nothing missing for complete content, with one trip and with two', () => {
    expect(incomplete(prepared())).toEqual([]);
    expect(incomplete(prepared({ ...SECOND_TRIP }))).toEqual([]);
  });

  test.each<[string, changes: object, lacks: string]>([
    ['blank post-video phrases', { frasi: [' ', ''] }, 'post_phrases missing'],
    [
      'no CODE, and an address that opens only here',
      { usableCodes: 0, codes: [], reach: 'machine' },
      'usable_code missing, address warning',
    ],
    ['no code that opens', { usableCodes: 0, codes: [{ ...CODE, attivo: false }] }, 'codes_closed missing'],
    [
      'a code that is used up',
      { usableCodes: 0, codes: [{ ...CODE, accessi_usati: 1 }] },
      'code_taken missing',
    ],
    ['one title', { titolo_viaggio: null }, 'titles_1 advice'],
    ['one date', { data_ritorno: ' ' }, 'dates_1 advice'],
    ['half the questions', { domanda_2: null }, 'questions_1 warning'],
    [
      'one closing phrase blank',
      { frasi_finali: { entrambi_si: 'c', entrambi_no: ' ', misto: 'e' } },
      'closing_phrases warning',
    ],
    ['a bot without a chat', { telegram_chat_id: null }, 'notifications advice'],
    ['a mail server in place of the chat', { telegram_chat_id: null, ...MAIL }, ''],
    [
      'a mail server whose password lacks',
      { telegram_chat_id: null, ...MAIL, smtp_user: 'lui' },
      'notifications advice',
    ],
    ['no date for another occasion', { data_laurea: null, footer_text: '' }, ''],
    [
      'a second trip that is only a picture',
      { immagine_destinazione_url_2: '/i2' },
      'phrases_2 advice, titles_2 advice, tickets_2 advice, dates_2 advice, questions_2 advice, final_phrases_2 advice',
    ],
    [
      'questions of one that there isn’t',
      { domanda_1_viaggio_2: 'tre?', domanda_2_viaggio_2: 'quattro?' },
      'second_trip_unseen warning',
    ],
    ['no second trip that is switched off', { ...SECOND_TRIP, secondo_viaggio: false }, ''],
    [
      'every part of an empty one that is switched on',
      { secondo_viaggio: true },
      'phrases_2 advice, picture_2 advice, titles_2 advice, tickets_2 advice, dates_2 advice, questions_2 advice, final_phrases_2 advice',
    ],
    ['half the second questions', { ...SECOND_TRIP, domanda_1_viaggio_2: null }, 'questions_2 warning'],
    ['an address that opens only here', { reach: 'machine' }, 'address_here missing'],
    ['one that opens only in its network', { reach: 'network' }, 'address warning'],
    ['an address of which nothing is known', { reach: null }, 'address warning'],
    ['a proxy that nobody named', { unnamedProxy: true }, 'proxy warning'],
    ['a name that texts ask for', { nameless: true }, 'her_name warning'],
    ['a silent film', { video: ['NO_SOUND'] }, 'video_sound warning'],
    ['a heavy film', { video: ['HEAVY'] }, 'video_weight warning'],
    ['a song that not every phone plays', { canzone: ['NOT_ON_OLD_IPHONES'] }, 'song_file warning'],
    ['a song far softer than the film', { canzone: ['QUIETER_THAN_FILM'] }, 'song_volume warning'],
    [
      'the warnings of a film that is used no more',
      { video_url: null, canzone_url: null, video: ['HEAVY'], canzone: ['HEAVY'] },
      'main_video missing, song advice',
    ],
  ])('reports %s', (_name, changes, expected) => {
    expect(incomplete(prepared(changes)).join(', ')).toBe(expected);
  });

  test('reports first that the site is closed, 48 hours after the graduation date', () => {
    const preparation = prepared({ data_laurea: '2026-06-08' });
    expect(incomplete(preparation, new Date('2026-06-10T21:59:59Z'))).toEqual([]);
    expect(readiness(preparation, new Date('2026-06-10T22:00:00Z'))[0]).toEqual({
      id: 'site_open',
      state: 'missing',
      page: '/admin/serata',
    });
  });
});

describe('a usable code', () => {
  const warnings = (codes: Preparation['codes'], data_laurea: string | null = null) =>
    incomplete(prepared({ data_laurea, codes })).filter((item) => !item.startsWith('graduation'));

  test('has a warning in its last three days, unless another one lasts', () => {
    expect(warnings([until('2026-06-13T10:00:00.001Z')])).toEqual([]);
    expect(warnings([until('2026-06-13T10:00:00.000Z')])).toEqual(['code_soon warning']);
    expect(warnings([until('2026-06-11T10:00:00Z'), until('2027-01-01T00:00:00Z')])).toEqual([]);
  });

  test('must last to the end of the graduation day in Italy', () => {
    const day = '2026-07-15';
    expect(warnings([until('2026-07-15T22:00:00.001Z')], day)).toEqual([]);
    expect(warnings([until('2026-07-15T22:00:00.000Z')], day)).toEqual(['code_until_graduation warning']);
    expect(warnings([CODE], day)).toEqual([]);
  });

  test('doesn’t last longer thanks to a code that is inactive or used up', () => {
    const dying = until('2026-06-11T10:00:00Z');
    expect(warnings([dying, { ...CODE, attivo: false }])).toEqual(['code_soon warning']);
    expect(warnings([dying, { ...CODE, accessi_usati: 1 }])).toEqual(['code_soon warning']);
  });

  test('must last until the opening time ahead, and then has no expiry warning', () => {
    const opening = (opens_at: string, codes: Preparation['codes'], data_laurea: string | null = null) =>
      incomplete(prepared({ data_laurea, opens_at, codes })).filter((item) => !item.startsWith('graduation'));
    const moment = '2026-06-12T19:00:00.000Z';
    expect(opening(moment, [until('2026-06-12T19:00:00.000Z')])).toEqual(['code_at_opening warning']);
    expect(opening(moment, [until('2026-06-12T19:00:00.001Z')])).toEqual([]);
    expect(opening(moment, [until('2026-06-11T10:00:00Z'), CODE])).toEqual(['code_at_opening warning']);
    expect(opening('2026-06-10T10:00:00.000Z', [until('2026-06-12T19:00:00Z')])).toEqual([
      'code_soon warning',
    ]);
    expect(opening(moment, [CODE], '2026-06-09')).toEqual(['opening_before_closing warning']);
  });

  test('has only the expiry warning after the graduation day', () => {
    expect(warnings([until('2026-06-11T10:00:00Z')], '2026-06-09')).toEqual(['code_soon warning']);
    expect(warnings([CODE], '2026-06-09')).toEqual([]);
  });
});

test('reports only what affects the next visitor once a visit has begun', () => {
  const after = { usableCodes: 0, codes: [{ ...CODE, accessi_usati: 1 }], begun: true };
  expect(incomplete(prepared(after))).toEqual([]);
  expect(incomplete(prepared({ ...after, data_laurea: '2026-06-01' }))).toEqual([]);
  expect(incomplete(prepared({ ...after, frasi: [], video: ['NO_SOUND'] }))).toEqual([
    'post_phrases missing',
    'video_sound warning',
  ]);
  for (const begun of [false, true])
    expect(incomplete(prepared({ diskLow: true, begun }))).toEqual(['disk_room warning']);
});

describe('readiness of any configuration', () => {
  const preparations = fc
    .tuple(snapshots(), fc.nat(2), fc.boolean())
    .map(([{ config, questions }, usableCodes, connected]) => ({
      ...OTHER_FACTS,
      config: { ...config, ...(connected ? SETTINGS : NO_SETTINGS) },
      questions,
      usableCodes,
    }));

  test('has a missing item exactly if the preview warns or no code opens', () => {
    fc.assert(
      fc.property(preparations, (preparation) => {
        const { config, usableCodes } = preparation;
        const works = config.video_url !== null && shownPhrases(config.frasi).length > 0 && usableCodes > 0;
        expect(Object.values(states(preparation)).includes('missing')).toBe(!works);
      }),
    );
  });

  test('calls ready what the evening shows', () => {
    fc.assert(
      fc.property(preparations, (preparation) => {
        const { config, questions } = preparation;
        const steps = itinerary({ config, questions, ...NO_FILE_FACTS });
        const shown = (stage: string, viaggio: number) =>
          steps.some((step) => step.stage === stage && step.viaggio === viaggio);
        const found = states(preparation);
        const trips = hasSecondTrip(preparation) ? ([1, 2] as const) : ([1] as const);
        for (const viaggio of trips) {
          expect(found[`picture_${viaggio}`] === 'ready').toBe(shown('destination', viaggio));
          expect(found[`questions_${viaggio}`] === 'ready').toBe(shown('questions', viaggio));
        }
        expect(found['pre_phrases'] === 'ready').toBe(steps.some(({ stage }) => stage === 'pre_phrases'));
      }),
    );
  });

  test('covers a second trip only if there is one, and has no duplicates', () => {
    fc.assert(
      fc.property(preparations, (preparation) => {
        const ids = readiness(preparation, NOW).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.includes('phrases_2')).toBe(hasSecondTrip(preparation));
        expect(ids.includes('second_trip_unseen') && hasSecondTrip(preparation)).toBe(false);
        expect(ids.includes('closing_phrases')).toBe(!hasSecondTrip(preparation));
      }),
    );
  });
});
