import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/**
 * Every number of the product that somebody might ask about, in one place.
 * Section numbers are the product specification's (see docs/spec-map.md).
 */

/** How long one phrase stays, in seconds (spec 5 and 9). */
export const PHRASE_SECONDS = { default: 6, min: 3, max: 15 } as const;
/**
 * How long a phrase takes to be read (decision 024): the time until the eye is there, in seconds, and then so many characters a second; a
 * phrase stays at most this many seconds for being long.
 */
export const READING = { startSeconds: 2, charactersPerSecond: 12, maxSeconds: 30 } as const;
/** The empty sky before each phrase but the first of its sequence, in milliseconds; longer before one of up to so many characters. */
export const GAP = { ms: 500, longMs: 900, shortPhrase: 24 } as const;
/** How long the destination picture stays, in seconds (spec 5 and 9). */
export const IMAGE_SECONDS = { default: 5, min: 1, max: 30 } as const;
/** How long its title takes to be written, in milliseconds: the picture's seconds count from then. */
export const TITLE_MS = 1_800;
/** Pause after the last post-video phrase, in milliseconds (spec 4.4). */
export const LAST_PHRASE_PAUSE_MS = 1_000;
/** From the tap on the ticket download to the questions, in milliseconds of visible time (spec 4.6). */
export const AFTER_DOWNLOAD_MS = 1_500;
/** From an answer to the next question: the chosen one beats once and is seen, in milliseconds of visible time. */
export const ANSWER_PAUSE_MS = 1_100;
/** How long she is told that her answers were sent, before the next words come, in milliseconds of visible time: the answer's beat, and a notice's time. */
export const THANKS_MS = 5_000;
/** The closing phrase of a single trip, in milliseconds (spec 4). */
export const CLOSING_PHRASE_MS = 20_000;
/** Without a closing phrase: from the success notice to the end, in milliseconds (spec 4). */
export const NO_CLOSING_MS = 2_000;
/** After the last final phrase of the second trip, in milliseconds (spec 4). */
export const SECOND_TRIP_END_MS = 3_000;

/** Playback speeds the administrator may choose (spec 5). */
export const PLAYBACK_RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;
/** Attempts to enter full screen again, and how much each delay grows, in milliseconds (spec 4). */
export const FULLSCREEN_RETRIES = { count: 6, stepMs: 100 } as const;
/** The fade of the song: one step of volume, and the time between steps in milliseconds (spec 4). */
export const SONG_FADE = { step: 0.05, everyMs: 100 } as const;

/** Heartbeat of an open session, in milliseconds (spec 4). */
export const HEARTBEAT_MS = 30_000;
/** Silence after which the server closes a session, in milliseconds: in the foreground, and after a background mark. */
export const SESSION_TIMEOUT_MS = { foreground: 90_000, background: 600_000 } as const;
/** For this long an unfinished visit can be taken up again, in milliseconds. */
export const VISIT_LIFETIME_MS = DAY_MS;
/**
 * After an update the files of the build before are answered for this long, in milliseconds: a page that is open then may wait for its hour for
 * days, and its visit lasts a day at most.
 */
export const PREVIOUS_BUILD_MS = 7 * DAY_MS;
/** For this long an attempt id stands for the same entry, in milliseconds. */
export const ATTEMPT_LIFETIME_MS = 10 * MINUTE_MS;
/** From the notice of a forced disconnect to the way back, and how long the notice stays, in milliseconds (spec 4 and 8). */
export const FORCED_DISCONNECT = { redirectMs: 2_000, noticeMs: 10_000 } as const;
/** Somebody who left before the end and isn't back after this long has stopped there: who prepares it is told, in milliseconds. */
export const ABANDONED_AFTER_MS = 5 * MINUTE_MS;
/** How long a notice stays in the scene, in milliseconds: as long as a toast (spec 9). */
export const NOTICE_MS = 4_000;
/** A pass for the rehearsal on another device is good for this long, in milliseconds. */
export const REHEARSAL_PASS_MS = HOUR_MS;
/** A device that comes again before the opening with the same code is logged and told once in this time, in milliseconds. */
export const EARLY_LOG_INTERVAL_MS = 12 * HOUR_MS;
/** A page that counts down asks again so often whether the moment is still the same, in milliseconds. */
export const OPENING_POLL_MS = 60_000;
/** So much later at most, at random, it asks once the moment has come: no clock's last millisecond is in the way. */
export const OPENING_JITTER_MS = 2_000;
/** For the last of the wait its screen stays on, in milliseconds. */
export const OPENING_WAKE_LOCK_MS = 300_000;
/**
 * The keepsake (decision 064): how long it stays open after its code was typed, how long the device's cookie lives (browsers keep none for
 * longer), and how long her lines rest before they are told, since she may still be changing them. Milliseconds.
 */
export const KEEPSAKE = { openMs: 6 * HOUR_MS, cookieMs: 400 * DAY_MS, toldAfterMs: MINUTE_MS } as const;
/** The site stays open this many hours after the graduation date (spec 1). */
export const HOURS_AFTER_GRADUATION = 48;

/** Wrong codes that are judged, of an IPv4 address or an IPv6 /48: `atOnce` without a pause, then 30 a second (decision 016). */
const JUDGED_CODES = { atOnce: 30, everyMs: 33 } as const;
export const FAILED_CODES = { network: JUDGED_CODES, prefix48: JUDGED_CODES } as const;
/** Maximum length of the queue of one IPv4 address or IPv6 /64: the codes that are checked in ten seconds. */
export const WAITING_TRIES = 300;
/** Wrong passwords and set-up codes, of an IPv4 address or an IPv6 /64, of a /48, and of a device that has signed in before, wherever it is. */
export const FAILED_SIGN_INS = {
  network: { atOnce: 5, everyMs: MINUTE_MS },
  prefix48: { atOnce: 25, everyMs: 12_000 },
  device: { atOnce: 5, everyMs: MINUTE_MS },
} as const;

/**
 * Who has to wait is told so in turn: one refusal each `apartMs`, none later than `heldMs` (a third of what our pages wait for an answer), and
 * so many held at once as there may be connections. Milliseconds.
 */
export const REFUSAL_DELAY = { apartMs: 20, heldMs: 5_000, held: 5_000 } as const;

/**
 * What is kept of tries that were refused: rows in `access_logs`, in `event_logs` and in `notifications` each, of guesses and of codes that
 * exist, so that the ones never crowd out the others; and rows of `rate_limits`. In all at most 20,000 rows and 20 MB. Older tries are counted
 * by the day. The typed code and the browser's name are cut to so many signs.
 */
export const REFUSED_ENTRIES = {
  guesses: 3_000,
  ofCodes: 1_500,
  counters: 4_000,
  typedSigns: 64,
  userAgentSigns: 200,
} as const;

/** Of failed attempts to sign in the log keeps the latest, so many, and so many signs of the browser's name. */
export const FAILED_SIGN_IN_LOG = { rows: 1_500, userAgentSigns: 200 } as const;

/**
 * Refused tries and what happened to the administrator's access stay in the logs this many days: as chosen on «La serata», within these. Less than a week
 * would leave nothing to look at after the evening; there is no «for ever» (decision 087).
 */
export const REFUSED_ENTRY_RETENTION_DAYS = { min: 7, default: 90, max: 365 } as const;

/** Access codes: prefix, number of random characters (spec 9) and the signs used in new ones (no 0, O, 1, I, L). */
export const CODE = { prefix: 'ROM-', length: 8, alphabet: '23456789ABCDEFGHJKMNPQRSTUVWXYZ' } as const;
/** A new code's accesses and days (spec 5 and 9). */
export const TOKEN_DEFAULTS = { max_accessi: 1, days: 30 } as const;

/** A code that expires within this time is about to, in milliseconds: who prepares the surprise is warned. */
export const CODE_EXPIRY_WARNING_MS = 3 * DAY_MS;

/** The most accesses a code can allow. */
export const MAX_ACCESSES = 1_000_000;

/** The furthest a code's expiry can be set, in days from now or from its expiry. */
export const MAX_EXTENSION_DAYS = 3_650;

/** The administrator's password, in characters as a person counts them. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const;

/** What seals an archive, in the same signs. It can be guessed at for ever by whoever has the file: longer than a password, which can't. */
export const PASSPHRASE_LENGTH = { min: 12, max: 256 } as const;
/** How long an asked-for archive may wait until its download begins, in ms; and the largest that is taken back over the web, in bytes. */
export const ARCHIVE = { ticketMs: 60_000, maxBytes: 64 * 1024 ** 3 } as const;

/** Longest texts and lists accepted, in characters (code points, as the schemas count) and items. */
export const MAX_LENGTH = {
  phrase: 2_000,
  phrases: 200,
  title: 200,
  date: 200,
  instructions: 2_000,
  question: 500,
  buttonText: 50,
  tokenName: 200,
  contact: 100,
  recipientName: 60,
  reply: 2_000,
  privacyNotice: 5_000,
} as const;

/** Largest uploads, in bytes (spec 2 «Song page», decision 22); an installation can change the video's. */
export const MEDIA_BYTES = {
  video: 2 * 1024 ** 3,
  song: 50 * 1024 ** 2,
  image: 20 * 1024 ** 2,
  tickets: 20 * 1024 ** 2,
} as const;

/**
 * Room on the disk, in bytes: what is kept for the evening and let go when the disk is full; what files must leave free; and with less than
 * `low` free the owner is warned.
 */
export const DISK_SPACE = { reserve: 32 * 1024 ** 2, files: 16 * 1024 ** 2, low: 64 * 1024 ** 2 } as const;

/** One request of an upload carries so many bytes at most, and at least where a proxy refuses more. */
export const UPLOAD_PIECE = { most: 5 * 1024 ** 2, least: 256 * 1024 } as const;

/** How long what was deleted can be taken back, in days, and how much of it is kept: beyond so many the oldest goes. */
export const BIN = { days: 30, items: 1_000 } as const;

/** No film of an evening is longer, in seconds. */
export const LONGEST_FILM_SECONDS = 6 * 60 * 60;
/**
 * A film's captions: signs of text as it comes (a film of six hours that speaks all the time takes as many), captions, and signs of one: four full
 * lines of a phone.
 */
export const CAPTIONS = { signs: 600_000, count: 5_000, signsEach: 300 } as const;
/** Uploads: how many may be unfinished, and how long one is kept after its last byte, in milliseconds. */
export const UPLOADS = { unfinished: 10, lifeMs: DAY_MS } as const;
/** How many tickets are joined to one PDF at once. */
export const TICKETS_AT_ONCE = { min: 2, max: 20 } as const;
/** Above these a file is heavy for a phone on mobile data: a video's bytes and bits a second, a song's bytes. */
export const HEAVY_FILE = {
  videoBytes: 150 * 1024 ** 2,
  videoBitsPerSecond: 6_000_000,
  songBytes: 20 * 1024 ** 2,
} as const;
/** Pictures: the longest side that is kept, in pixels. Tickets keep more, for their QR codes. */
export const PICTURE = { side: 2_160, ticketsSide: 4_096 } as const;

/** How long Telegram may take to answer. A busy one takes more than 5 s and has the message all the same. */
export const TELEGRAM_TIMEOUT_MS = 20_000;
/**
 * Looking for the chat: between two looks and for one answer, in milliseconds; how many looks before it is said that nothing came (three
 * minutes); how many of a bot's latest updates are read.
 */
export const CHAT_SEARCH = { everyMs: 2_000, patienceMs: 8_000, looks: 90, updates: 50 } as const;
/** How long a mail server may take for a whole message: some greet late on purpose, and look into it before they take it. */
export const MAIL_TIMEOUT_MS = 30_000;

/** Rows shown in the administrator's lists (spec 9): latest events, ended sessions, and the dashboard's latest events. */
export const LIST_SIZES = { events: 100, endedSessions: 10, dashboardEvents: 8 } as const;
/** Device ids are cut to this many signs in the lists (spec 9). */
export const DEVICE_ID_SHOWN = { sessions: 20, logs: 30 } as const;
/** The dashboard's chart of accesses, in days. */
export const ACCESS_CHART_DAYS = 30;
/** Days are cut at midnight here, for the chart and the file names. */
export const TIME_ZONE = 'Europe/Rome';

/** Decorations (spec 2 and 9). */
export const FALLING_HEARTS = 20;
export const FLOATING_ICONS = 12;

/** The administrator's tooltips: until one opens, and how long the next one then opens at once, in milliseconds (spec 9). */
export const TOOLTIP = { openMs: 700, skipMs: 300 } as const;

/** Texts shown where nothing was configured (spec 9). */
export const DEFAULT_TEXTS = {
  video_button_text: 'Inizia Esperienza',
  titolo_destinazione: 'Destinazione',
  titolo_viaggio: 'Il Nostro Viaggio',
  titolo_destinazione_2: 'Seconda Destinazione',
  titolo_viaggio_2: 'Il Nostro Secondo Viaggio',
  testo_istruzioni_biglietti: 'P.S dopo aver visto i biglietti torna sul sito',
  data: 'Da definire',
} as const;
