import { keysOf } from './records.ts';

/** All readiness items in display order, with the page that fixes each. */
export const READINESS_PAGE = {
  site_open: '/admin/serata',
  disk_room: '/admin/video',
  main_video: '/admin/video',
  post_phrases: '/admin/frasi',
  usable_code: '/admin/token',
  codes_closed: '/admin/token',
  code_taken: '/admin/token',
  address_here: '/admin/rete',
  code_until_graduation: '/admin/token',
  code_soon: '/admin/token',
  code_at_opening: '/admin/token',
  opening_before_closing: '/admin/serata',
  address: '/admin/rete',
  proxy: '/admin/serata',
  video_sound: '/admin/video',
  video_weight: '/admin/video',
  song_file: '/admin/musica',
  song_volume: '/admin/musica',
  pre_phrases: '/admin/frasi',
  song: '/admin/musica',
  picture_1: '/admin/immagine',
  titles_1: '/admin/testi-destinazione',
  tickets_1: '/admin/biglietti',
  dates_1: '/admin/biglietti',
  questions_1: '/admin/checkbox',
  closing_phrases: '/admin/frasi-finali',
  second_trip_unseen: '/admin/second-trip-details',
  phrases_2: '/admin/second-trip-phrases',
  picture_2: '/admin/second-trip-details',
  titles_2: '/admin/second-trip-details',
  tickets_2: '/admin/second-trip-details',
  dates_2: '/admin/second-trip-details',
  questions_2: '/admin/second-trip-checkbox',
  final_phrases_2: '/admin/second-trip-final-phrases',
  her_name: '/admin/serata',
  notifications: '/admin/notifiche',
  contact: '/admin/serata',
  graduation_date: '/admin/serata',
} as const;
export type ReadinessId = keyof typeof READINESS_PAGE;
export const READINESS_IDS: readonly ReadinessId[] = keysOf(READINESS_PAGE);

/**
 * `missing`: without it no visitor can enter, or the evening doesn't work. `warning`: it works, but not on that day, not for all phones or
 * not as intended. `advice`: it works, and would be better with it.
 */
export const READINESS_STATES = ['missing', 'warning', 'advice', 'ready'] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

export type ReadinessItem = {
  id: ReadinessId;
  state: ReadinessState;
  page: (typeof READINESS_PAGE)[ReadinessId];
};

/** Section of that page, if it isn't the page's default. */
export const READINESS_PART: Partial<Record<ReadinessId, string>> = {
  post_phrases: 'frasi',
  dates_1: 'date',
  picture_2: 'immagine',
  tickets_2: 'biglietti',
  titles_2: 'dettagli',
  dates_2: 'dettagli',
};

/** `red`: the evening would fail. `amber`: unknown, or an open choice; it doesn't block. */
export const REASON_LEVELS = ['red', 'amber'] as const;
export type ReasonLevel = (typeof REASON_LEVELS)[number];

/** `part`: section of that page, if it isn't the page's default. */
type ReasonTarget = { level: ReasonLevel; page: `/admin/${string}`; part?: string };

/** Reasons from probes: severity, and page that fixes each. */
export const PROBE_REASONS = {
  video_broken: { level: 'red', page: '/admin/video' },
  poster_broken: { level: 'red', page: '/admin/video' },
  light_broken: { level: 'red', page: '/admin/video' },
  captions_broken: { level: 'red', page: '/admin/video' },
  song_broken: { level: 'red', page: '/admin/musica' },
  picture_1_broken: { level: 'red', page: '/admin/immagine' },
  picture_2_broken: { level: 'red', page: '/admin/second-trip-details', part: 'immagine' },
  tickets_1_broken: { level: 'red', page: '/admin/biglietti' },
  tickets_2_broken: { level: 'red', page: '/admin/second-trip-details', part: 'biglietti' },
  tickets_1_unreadable: { level: 'red', page: '/admin/biglietti' },
  tickets_2_unreadable: { level: 'red', page: '/admin/second-trip-details', part: 'biglietti' },
  address_changed: { level: 'red', page: '/admin/rete' },
  address_silent: { level: 'red', page: '/admin/rete' },
  address_other: { level: 'red', page: '/admin/rete' },
  address_plain: { level: 'red', page: '/admin/rete' },
  certificate_bad: { level: 'red', page: '/admin/rete' },
  certificate_ends: { level: 'red', page: '/admin/rete' },
  telegram_bot: { level: 'red', page: '/admin/notifiche' },
  telegram_chat: { level: 'red', page: '/admin/notifiche' },
  email_refused: { level: 'red', page: '/admin/notifiche' },
  email_server: { level: 'red', page: '/admin/notifiche' },
  clock: { level: 'red', page: '/admin/pronta' },
  trip_days_1: { level: 'red', page: '/admin/biglietti', part: 'date' },
  trip_days_2: { level: 'red', page: '/admin/second-trip-details', part: 'dettagli' },
  keepsake_before: { level: 'red', page: '/admin/serata' },
  phone_bad: { level: 'red', page: '/admin/telefoni' },
  tickets_1_font: { level: 'amber', page: '/admin/biglietti' },
  tickets_2_font: { level: 'amber', page: '/admin/second-trip-details', part: 'biglietti' },
  files_untried: { level: 'amber', page: '/admin/pronta' },
  shared_here: { level: 'amber', page: '/admin/rete' },
  address_untried: { level: 'amber', page: '/admin/pronta' },
  certificate_renewal: { level: 'amber', page: '/admin/rete' },
  channel_untried: { level: 'amber', page: '/admin/pronta' },
  clock_untold: { level: 'amber', page: '/admin/notifiche' },
  opening_unset: { level: 'amber', page: '/admin/serata' },
  rehearsal_none: { level: 'amber', page: '/admin/preview' },
  rehearsal_old: { level: 'amber', page: '/admin/preview' },
  phone_untried: { level: 'amber', page: '/admin/telefoni' },
  phone_beware: { level: 'amber', page: '/admin/telefoni' },
} as const satisfies Record<string, ReasonTarget>;

export type ProbeReasonId = keyof typeof PROBE_REASONS;
export type ReasonId = ReadinessId | ProbeReasonId;

/** All reasons against «Pronta», in display order. */
export const REASON_IDS: readonly ReasonId[] = [...READINESS_IDS, ...keysOf(PROBE_REASONS)];

const isProbeReason = (id: ReasonId): id is ProbeReasonId => Object.hasOwn(PROBE_REASONS, id);

/** Returns the page that fixes a reason. */
export const reasonPage = (id: ReasonId): string =>
  isProbeReason(id) ? PROBE_REASONS[id].page : READINESS_PAGE[id];

/** Returns the section of that page; null for its default. */
export function reasonPagePart(id: ReasonId): string | null {
  if (!isProbeReason(id)) return READINESS_PART[id] ?? null;
  const target: ReasonTarget = PROBE_REASONS[id];
  return target.part ?? null;
}

/** Returns the severity of a probe's reason. */
export const probeReasonLevel = (id: ProbeReasonId): ReasonLevel => PROBE_REASONS[id].level;
