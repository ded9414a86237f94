import { expect, test } from 'vitest';
import * as limits from '../../src/domain/limits.ts';

/**
 * Every number of the product, written down a second time: none changes by accident, none comes or goes unnoticed. Most of these are the
 * specification's (5, 9) or stand in a decision. What holds each where it is used: the tests of that place.
 */
const KNOWN: typeof limits = {
  PHRASE_SECONDS: { default: 6, min: 3, max: 15 },
  READING: { startSeconds: 1.5, charactersPerSecond: 15, maxSeconds: 30 },
  IMAGE_SECONDS: { default: 5, min: 1, max: 30 },
  LAST_PHRASE_PAUSE_MS: 1000,
  AFTER_DOWNLOAD_MS: 1500,
  ANSWER_BEAT_MS: 1100,
  THANKS_MS: 5000,
  CLOSING_PHRASE_MS: 20_000,
  NO_CLOSING_MS: 2000,
  SECOND_TRIP_END_MS: 3000,
  PLAYBACK_RATES: [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2],
  FULLSCREEN_RETRIES: { count: 6, stepMs: 100 },
  SONG_FADE: { step: 0.05, everyMs: 100 },
  HEARTBEAT_MS: 30_000,
  SILENCE_MS: { foreground: 90_000, background: 600_000 },
  VISIT_LIFE_MS: 86_400_000,
  PREVIOUS_BUILD_MS: 604_800_000,
  ATTEMPT_LIFE_MS: 600_000,
  FORCED_DISCONNECT: { redirectMs: 2000, noticeMs: 10_000 },
  BIN: { days: 30, items: 1000 },
  CAPTIONS: { signs: 600_000, count: 5000, signsEach: 300 },
  STOPPED_AFTER_MS: 300_000,
  NOTICE_MS: 4000,
  REHEARSAL_PASS_MS: 3_600_000,
  EARLY_TOLD_ONCE_MS: 43_200_000,
  OPENING_ASKED_EVERY_MS: 60_000,
  OPENING_SPREAD_MS: 2000,
  OPENING_AWAKE_MS: 300_000,
  KEEPSAKE: { openMs: 21_600_000, cookieMs: 34_560_000_000, toldAfterMs: 60_000 },
  HOURS_AFTER_GRADUATION: 48,
  FAILED_CODES: {
    network: { atOnce: 30, everyMs: 33 },
    prefix48: { atOnce: 30, everyMs: 33 },
  },
  WAITING_TRIES: 300,
  FAILED_SIGN_INS: {
    network: { atOnce: 5, everyMs: 60_000 },
    prefix48: { atOnce: 25, everyMs: 12_000 },
    device: { atOnce: 5, everyMs: 60_000 },
  },
  REFUSALS: { apartMs: 20, heldMs: 5000, held: 5000 },
  REFUSED_TRIES: { guesses: 3000, ofCodes: 1500, counters: 4000, typedSigns: 64, userAgentSigns: 200 },
  FAILED_SIGN_INS_KEPT: { rows: 1500, userAgentSigns: 200 },
  TRIES_KEPT_DAYS: { min: 7, default: 90, max: 365 },
  CODE: { prefix: 'ROM-', length: 8, alphabet: '23456789ABCDEFGHJKMNPQRSTUVWXYZ' },
  TOKEN_DEFAULTS: { max_accessi: 1, days: 30 },
  CODE_SOON_MS: 259_200_000,
  MAX_ACCESSES: 1_000_000,
  MAX_EXTENSION_DAYS: 3650,
  PASSPHRASE_LENGTH: { min: 12, max: 256 },
  ARCHIVE: { ticketMs: 60_000, maxBytes: 68_719_476_736 },
  PASSWORD_LENGTH: { min: 10, max: 256 },
  MAX_LENGTH: {
    phrase: 2000,
    phrases: 200,
    title: 200,
    date: 200,
    instructions: 2000,
    question: 500,
    buttonText: 50,
    tokenName: 200,
    contact: 100,
    recipientName: 60,
    reply: 2000,
    privacyNotice: 5000,
  },
  MEDIA_BYTES: { video: 2_147_483_648, song: 52_428_800, image: 20_971_520, tickets: 20_971_520 },
  DISK_ROOM: { reserve: 33_554_432, files: 16_777_216, low: 67_108_864 },
  LONGEST_FILM_SECONDS: 21_600,
  UPLOADS: { unfinished: 10, lifeMs: 86_400_000 },
  TICKETS_AT_ONCE: { min: 2, max: 20 },
  HEAVY: { videoBytes: 157_286_400, videoBitsPerSecond: 6_000_000, songBytes: 20_971_520 },
  PICTURE: { side: 2160, ticketsSide: 4096 },
  TELEGRAM_PATIENCE_MS: 20_000,
  CHAT_SEARCH: { everyMs: 2_000, patienceMs: 8_000, looks: 90, updates: 50 },
  MAIL_PATIENCE_MS: 30_000,
  SHOWN: { events: 100, endedSessions: 10, dashboardEvents: 8 },
  DEVICE_ID_SHOWN: { sessions: 20, logs: 30 },
  ACCESS_CHART_DAYS: 30,
  TIME_ZONE: 'Europe/Rome',
  FALLING_HEARTS: 20,
  FLOATING_ICONS: 12,
  TOOLTIP: { openMs: 700, skipMs: 300 },
  DEFAULT_TEXTS: {
    video_button_text: 'Inizia Esperienza',
    titolo_destinazione: 'Destinazione',
    titolo_viaggio: 'Il Nostro Viaggio',
    titolo_destinazione_2: 'Seconda Destinazione',
    titolo_viaggio_2: 'Il Nostro Secondo Viaggio',
    testo_istruzioni_biglietti: 'P.S dopo aver visto i biglietti torna sul sito',
    data: 'Da definire',
  },
};

const constants = Object.entries(limits);

test.each(constants)('%s is what was agreed', (name, value) => {
  expect(value).toEqual(Object.entries(KNOWN).find(([known]) => known === name)?.[1]);
});

test('none is missing', () => {
  expect(Object.keys(KNOWN).toSorted()).toEqual(constants.map(([name]) => name).toSorted());
});
