import { expect, test } from 'vitest';
import * as limits from '../../src/domain/limits.ts';

/**
 * Limits from the specification (5, 9) or a decision that no other test states as a number. The tests of each feature check that its
 * limits apply.
 */
const KNOWN: Partial<typeof limits> = {
  PHRASE_GAP: { ms: 500, longMs: 900, shortPhraseChars: 24 },
  DESTINATION_TITLE_MS: 1800,
  LAST_PHRASE_PAUSE_MS: 1000,
  AFTER_DOWNLOAD_MS: 1500,
  ANSWER_PAUSE_MS: 1100,
  THANKS_MS: 5000,
  CLOSING_PHRASE_MS: 20_000,
  NO_CLOSING_PHRASE_MS: 2000,
  SECOND_TRIP_END_MS: 3000,
  FULLSCREEN_RETRIES: { count: 6, stepMs: 100 },
  SONG_FADE: { step: 0.05, everyMs: 100 },
  HEARTBEAT_MS: 30_000,
  SESSION_TIMEOUT_MS: { foreground: 90_000, background: 600_000 },
  VISIT_LIFETIME_MS: 86_400_000,
  PREVIOUS_BUILD_MS: 604_800_000,
  ATTEMPT_LIFETIME_MS: 600_000,
  FORCED_DISCONNECT: { redirectMs: 2000, noticeMs: 10_000 },
  CAPTIONS: { maxChars: 600_000, count: 5000, maxCharsEach: 300 },
  ABANDONED_AFTER_MS: 300_000,
  NOTICE_MS: 4000,
  REHEARSAL_PASS_MS: 3_600_000,
  EARLY_LOG_INTERVAL_MS: 43_200_000,
  OPENING_POLL_MS: 60_000,
  OPENING_JITTER_MS: 2000,
  OPENING_WAKE_LOCK_MS: 300_000,
  KEEPSAKE: { openMs: 21_600_000, cookieMs: 34_560_000_000, notifyAfterMs: 60_000 },
  FAILED_CODES: { network: { atOnce: 30, everyMs: 33 }, prefix48: { atOnce: 30, everyMs: 33 } },
  MAX_WAITING_ATTEMPTS: 300,
  FAILED_SIGN_INS: {
    network: { atOnce: 5, everyMs: 60_000 },
    prefix48: { atOnce: 25, everyMs: 12_000 },
    device: { atOnce: 5, everyMs: 60_000 },
  },
  REFUSAL_DELAY: { spacingMs: 20, maxDelayMs: 5000, maxHeld: 5000 },
  REFUSED_ENTRIES: {
    guesses: 3000,
    existingCodes: 1500,
    counters: 4000,
    typedChars: 64,
    userAgentChars: 200,
  },
  FAILED_SIGN_IN_LOG: { rows: 1500, userAgentChars: 200 },
  TOKEN_DEFAULTS: { max_accessi: 1, days: 30 },
  ARCHIVE: { downloadStartMs: 60_000, maxBytes: 68_719_476_736 },
  MEDIA_BYTES: { video: 2_147_483_648, song: 52_428_800, image: 20_971_520, tickets: 20_971_520 },
  UPLOAD_PIECE: { defaultBytes: 5_242_880, minBytes: 262_144 },
  DISK_SPACE: { reserve: 33_554_432, files: 16_777_216, low: 67_108_864 },
  UPLOADS: { unfinished: 10, lifeMs: 86_400_000 },
  JOINED_TICKETS: { min: 2, max: 20 },
  PICTURE: { side: 2160, ticketsSide: 4096 },
  TELEGRAM_TIMEOUT_MS: 20_000,
  CHAT_SEARCH: { everyMs: 2_000, timeoutMs: 8_000, maxPolls: 90, updates: 50 },
  MAIL_TIMEOUT_MS: 30_000,
  LIST_SIZES: { events: 100, endedSessions: 10 },
  DEVICE_ID_SHOWN: { sessions: 20, logs: 30 },
  ACCESS_CHART_DAYS: 30,
  TIME_ZONE: 'Europe/Rome',
  FALLING_HEARTS: 20,
  FLOATING_ICONS: 12,
  TOOLTIP: { openMs: 700, skipMs: 300 },
};

test('limits have the agreed values', () => {
  expect(limits).toMatchObject(KNOWN);
});
