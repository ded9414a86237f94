/**
 * Constants of the product: durations, limits, formats and default texts.
 * Section numbers are those of the product specification (see docs/spec-map.md).
 */

/** Durations in ms. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Display time of one phrase, in seconds (spec 5 and 9). */
export const PHRASE_SECONDS = { default: 6, min: 3, max: 15 } as const;
/**
 * Reading time of a phrase (decision 024): seconds to find the line, then characters per second. `maxSeconds` limits the display time
 * of a long phrase.
 */
export const READING = { startSeconds: 2, charactersPerSecond: 12, maxSeconds: 30 } as const;
/** Time without text before each phrase except the first of its sequence, in ms; `longMs` before one of up to `shortPhrase` characters. */
export const PHRASE_GAP = { ms: 500, longMs: 900, shortPhraseChars: 24 } as const;
/** Display time of the destination picture, in seconds (spec 5 and 9). */
export const IMAGE_SECONDS = { default: 5, min: 1, max: 30 } as const;
/** Time in which its title is written, in ms; the picture's seconds count from its end. */
export const DESTINATION_TITLE_MS = 1_800;
/** Pause after the last post-video phrase, in ms (spec 4). */
export const LAST_PHRASE_PAUSE_MS = 1_000;
/** Time from the tap on the ticket download to the questions, in ms of visible time (spec 4). */
export const AFTER_DOWNLOAD_MS = 1_500;
/** Time from an answer to the next question, in ms of visible time; the chosen answer pulses once. */
export const ANSWER_PAUSE_MS = 1_100;
/** Time of the notice that the answers were sent, in ms of visible time: the pulse of the answer, then `NOTICE_MS`. */
export const THANKS_MS = 5_000;
/** Time of a single trip's closing phrase, in ms (spec 4). */
export const CLOSING_PHRASE_MS = 20_000;
/** Time from the success notice to the end without a closing phrase, in ms (spec 4). */
export const NO_CLOSING_PHRASE_MS = 2_000;
/** Pause after the second trip's last final phrase, in ms (spec 4). */
export const SECOND_TRIP_END_MS = 3_000;

/** Playback speeds offered to the administrator (spec 5). */
export const PLAYBACK_RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;
/** Retries to enter full screen, and the increase of each delay in ms (spec 4). */
export const FULLSCREEN_RETRIES = { count: 6, stepMs: 100 } as const;
/** Fade of the song: one step of volume, and the interval between steps in ms (spec 4). */
export const SONG_FADE = { step: 0.05, everyMs: 100 } as const;

/** Heartbeat interval of an open session, in ms (spec 4). */
export const HEARTBEAT_MS = 30_000;
/** Silence after which the server closes a session, in ms: in the foreground, and after the page reported that it is hidden. */
export const SESSION_TIMEOUT_MS = { foreground: 90_000, background: 600_000 } as const;
/** Time in which an unfinished visit can be resumed, in ms. */
export const VISIT_LIFETIME_MS = 24 * HOUR_MS;
/**
 * Time for which the previous build's files stay available after an update, in ms. An open page may wait for its opening time for days, and
 * its visit lasts a day at most.
 */
export const PREVIOUS_BUILD_MS = 7 * DAY_MS;
/** Time in which a repeated entry with the same attempt id counts no second use, in ms. */
export const ATTEMPT_LIFETIME_MS = 10 * MINUTE_MS;
/** Time from the notice of a forced disconnect to the redirect, and display time of the notice, in ms (spec 4 and 8). */
export const FORCED_DISCONNECT = { redirectMs: 2_000, noticeMs: 10_000 } as const;
/** Absence after which an unfinished visit counts as stopped and the administrator is notified, in ms. */
export const ABANDONED_AFTER_MS = 5 * MINUTE_MS;
/** Display time of a notice in the scene, in ms; equal to a toast's (spec 9). */
export const NOTICE_MS = 4_000;
/** Validity of a rehearsal pass for another device, in ms. */
export const REHEARSAL_PASS_MS = 60 * MINUTE_MS;
/** Interval at which a repeated early entry of one device with one code is logged and notified, in ms. */
export const EARLY_LOG_INTERVAL_MS = 12 * HOUR_MS;
/** Interval at which a page with a countdown checks that the opening time is unchanged, in ms. */
export const OPENING_POLL_MS = 60_000;
/** Maximum random delay after the opening time before that page checks again, in ms; it covers small clock differences. */
export const OPENING_JITTER_MS = 2_000;
/** Last part of the wait, in which the screen stays on, in ms. */
export const OPENING_WAKE_LOCK_MS = 300_000;
/**
 * The keepsake (decision 064), in ms: time it stays open after its code was typed, lifetime of the device's cookie (browsers store none
 * longer), and delay before a reply is notified, since the visitor may still be editing it.
 */
export const KEEPSAKE = { openMs: 6 * HOUR_MS, cookieMs: 400 * DAY_MS, notifyAfterMs: MINUTE_MS } as const;
/** Hours after `data_laurea`, the recipient's graduation day, until which the site stays open (spec 1). */
export const HOURS_AFTER_GRADUATION = 48;

/** Checked wrong codes per IPv4 address or IPv6 /64 (`network`), and per /48: `atOnce` without a pause, then 30 per second (decision 016). */
const JUDGED_CODES = { atOnce: 30, everyMs: 33 } as const;
export const FAILED_CODES = { network: JUDGED_CODES, prefix48: JUDGED_CODES } as const;
/** Maximum queue length of one IPv4 address or IPv6 /64: the number of codes checked in ten seconds. */
export const MAX_WAITING_ATTEMPTS = 300;
/** Wrong passwords and setup codes per IPv4 address or IPv6 /64, per /48, and per device that has signed in before, on any network. */
export const FAILED_SIGN_INS = {
  network: { atOnce: 5, everyMs: MINUTE_MS },
  prefix48: { atOnce: 25, everyMs: 12_000 },
  device: { atOnce: 5, everyMs: MINUTE_MS },
} as const;

/**
 * Delay of refusals to clients that must wait: one every `spacingMs`. Once the queue is `maxDelayMs` long, all further
 * ones leave after that delay, so that pages get them well before their own timeout. More than `maxHeld` at once aren't delayed. In ms.
 */
export const REFUSAL_DELAY = { spacingMs: 20, maxDelayMs: 5_000, maxHeld: 5_000 } as const;

/**
 * Stored rows of refused attempts: in `access_logs`, in `event_logs` and in `notifications`, separately for guesses and for existing codes
 * so that neither displaces the other; and rows of `rate_limits`. In all at most 20,000 rows and 20 MB. Older attempts are counted by day.
 * The typed code and the user agent are cut to this many characters.
 */
export const REFUSED_ENTRIES = {
  guesses: 3_000,
  existingCodes: 1_500,
  counters: 4_000,
  typedChars: 64,
  userAgentChars: 200,
} as const;

/** Failed sign-ins in the log: latest rows, and characters of the user agent. */
export const FAILED_SIGN_IN_LOG = { rows: 1_500, userAgentChars: 200 } as const;

/**
 * Days for which refused attempts and events of the administrator's access stay in the logs, chosen on «La serata». Less than a week would
 * leave nothing to check after the evening; unlimited storage is not offered (decision 066).
 */
export const REFUSED_ENTRY_RETENTION_DAYS = { min: 7, default: 90, max: 365 } as const;

/** Access codes: prefix, number of random characters (spec 9), and the characters of new ones (no 0, O, 1, I, L). */
export const CODE = { prefix: 'ROM-', length: 8, alphabet: '23456789ABCDEFGHJKMNPQRSTUVWXYZ' } as const;
/** Default accesses and days of a new code (spec 5 and 9). */
export const TOKEN_DEFAULTS = { max_accessi: 1, days: 30 } as const;

/** Remaining validity, in ms, from which the administrator is warned that a code expires soon. */
export const CODE_EXPIRY_WARNING_MS = 3 * DAY_MS;

/** Maximum accesses of a code. */
export const MAX_ACCESSES = 1_000_000;

/** Maximum extension of a code, in days from now or from its expiry. */
export const MAX_EXTENSION_DAYS = 3_650;

/** Length of the administrator's password, in characters as a person counts them. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const;

/**
 * Length of an archive's passphrase, in the same characters. It is longer than a password's, because guesses at a copied file are
 * unlimited.
 */
export const PASSPHRASE_LENGTH = { min: 12, max: 256 } as const;
/** Time in ms within which a prepared download must begin; largest archive restored over the web, in bytes. */
export const ARCHIVE = { downloadStartMs: 60_000, maxBytes: 64 * 1024 ** 3 } as const;

/** Maximum texts and lists, in characters (code points, as the schemas count) and items. */
export const MAX_LENGTH = {
  phrase: 2_000,
  /** Phrases of one list. */
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
  footer: 120,
  shareMessage: 1_000,
  cardTitle: 60,
} as const;

/** Maximum uploads in bytes (spec 2 «Song page»); an installation can change the video's. */
export const MEDIA_BYTES = {
  video: 2 * 1024 ** 3,
  song: 50 * 1024 ** 2,
  image: 20 * 1024 ** 2,
  tickets: 20 * 1024 ** 2,
} as const;

/**
 * Disk space in bytes: `reserve` is held for the evening and released when the disk is full; `files` must stay free after uploads;
 * below `low` free bytes the administrator is warned.
 */
export const DISK_SPACE = { reserve: 32 * 1024 ** 2, files: 16 * 1024 ** 2, low: 64 * 1024 ** 2 } as const;

/** Size of one upload request in bytes: the default, and the minimum to which it is reduced if a proxy refuses more. */
export const UPLOAD_PIECE = { defaultBytes: 5 * 1024 ** 2, minBytes: 256 * 1024 } as const;

/** Days for which deleted items can be restored, and maximum number of items; beyond it the oldest are removed. */
export const BIN = { days: 30, items: 1_000 } as const;

/** Maximum length of a film, in seconds. */
export const LONGEST_FILM_SECONDS = 6 * 60 * 60;
/**
 * Captions of a film: characters of the source text (enough for six hours of continuous speech), number of captions, and characters of one:
 * four full lines of a phone.
 */
export const CAPTIONS = { maxChars: 600_000, count: 5_000, maxCharsEach: 300 } as const;
/** Maximum unfinished uploads, and time one is stored after its last byte, in ms. */
export const UPLOADS = { unfinished: 10, lifeMs: DAY_MS } as const;
/** Number of tickets that can be joined to one PDF. */
export const JOINED_TICKETS = { min: 2, max: 20 } as const;
/** Limits above which a file is heavy for mobile data: a video's bytes and bits per second, a song's bytes. */
export const HEAVY_FILE = {
  videoBytes: 150 * 1024 ** 2,
  videoBitsPerSecond: 6_000_000,
  songBytes: 20 * 1024 ** 2,
} as const;
/** Maximum stored side of a picture, in pixels. Tickets need more, for their QR codes. */
export const PICTURE = { side: 2_160, ticketsSide: 4_096 } as const;

/** Timeout of a request to Telegram. Under load it answers after more than 5 s and has the message anyway. */
export const TELEGRAM_TIMEOUT_MS = 20_000;
/**
 * Search for the chat: interval and request timeout in ms, number of polls before it ends without a result (three minutes), and number of
 * the bot's latest updates read.
 */
export const CHAT_SEARCH = { everyMs: 2_000, timeoutMs: 8_000, maxPolls: 90, updates: 50 } as const;
/** Timeout for a whole message to a mail server. Some delay their greeting on purpose, and scan a message before they accept it. */
export const MAIL_TIMEOUT_MS = 30_000;

/** Rows of the administrator's lists (spec 9): latest events and ended sessions. */
export const LIST_SIZES = { events: 100, endedSessions: 10 } as const;
/** Characters of a device id in the lists (spec 9). */
export const DEVICE_ID_SHOWN = { sessions: 20, logs: 30 } as const;
/** Days in the chart of accesses. */
export const ACCESS_CHART_DAYS = 30;
/** Time zone whose midnight separates days, in the chart and in file names. */
export const TIME_ZONE = 'Europe/Rome';

/** Number of falling hearts (spec 2 and 9). */
export const FALLING_HEARTS = 20;
/** Number of floating icons (spec 2 and 9). */
export const FLOATING_ICONS = 12;

/** Delay of the administrator's tooltips, and time in which the next one opens without a delay, in ms (spec 9). */
export const TOOLTIP = { openMs: 700, skipMs: 300 } as const;

/** Texts shown if none is configured (spec 9). */
export const DEFAULT_TEXTS = {
  video_button_text: 'Inizia Esperienza',
  titolo_destinazione: 'Destinazione',
  titolo_viaggio: 'Il Nostro Viaggio',
  titolo_destinazione_2: 'Seconda Destinazione',
  titolo_viaggio_2: 'Il Nostro Secondo Viaggio',
  testo_istruzioni_biglietti: 'P.S dopo aver visto i biglietti torna sul sito',
  data: 'Da definire',
} as const;
