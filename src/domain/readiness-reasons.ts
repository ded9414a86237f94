import type { PAGES } from '../contract/pages.ts';
import { keysOf } from './records.ts';

/** Page that fixes a reason, and the section of that page if it isn't the page's default. */
type ReasonTarget = { page: (typeof PAGES)[number]; part?: string };

/** All readiness items, in display order. */
const READINESS = {
  site_open: { page: '/admin/serata' },
  disk_room: { page: '/admin/video' },
  main_video: { page: '/admin/video' },
  post_phrases: { page: '/admin/frasi', part: 'frasi' },
  usable_code: { page: '/admin/token' },
  codes_closed: { page: '/admin/token' },
  code_taken: { page: '/admin/token' },
  address_here: { page: '/admin/rete' },
  code_until_graduation: { page: '/admin/token' },
  code_soon: { page: '/admin/token' },
  code_at_opening: { page: '/admin/token' },
  opening_before_closing: { page: '/admin/serata' },
  address: { page: '/admin/rete' },
  proxy: { page: '/admin/serata' },
  video_sound: { page: '/admin/video' },
  video_weight: { page: '/admin/video' },
  song_file: { page: '/admin/musica' },
  song_volume: { page: '/admin/musica' },
  pre_phrases: { page: '/admin/frasi' },
  song: { page: '/admin/musica' },
  picture_1: { page: '/admin/immagine' },
  titles_1: { page: '/admin/testi-destinazione' },
  tickets_1: { page: '/admin/biglietti' },
  dates_1: { page: '/admin/biglietti', part: 'date' },
  questions_1: { page: '/admin/checkbox' },
  closing_phrases: { page: '/admin/frasi-finali' },
  second_trip_unseen: { page: '/admin/second-trip-details' },
  phrases_2: { page: '/admin/second-trip-phrases' },
  picture_2: { page: '/admin/second-trip-details', part: 'immagine' },
  titles_2: { page: '/admin/second-trip-details', part: 'dettagli' },
  tickets_2: { page: '/admin/second-trip-details', part: 'biglietti' },
  dates_2: { page: '/admin/second-trip-details', part: 'dettagli' },
  questions_2: { page: '/admin/second-trip-checkbox' },
  final_phrases_2: { page: '/admin/second-trip-final-phrases' },
  her_name: { page: '/admin/serata' },
  notifications: { page: '/admin/notifiche' },
  contact: { page: '/admin/serata' },
  graduation_date: { page: '/admin/serata' },
} as const satisfies Record<string, ReasonTarget>;
export type ReadinessId = keyof typeof READINESS;
export const READINESS_IDS: readonly ReadinessId[] = keysOf(READINESS);

/**
 * `missing`: without it no visitor can enter, or the evening doesn't work. `warning`: it works, but not on that day, not for all phones or
 * not as intended. `advice`: it works, and would be better with it.
 */
export const READINESS_STATES = ['missing', 'warning', 'advice', 'ready'] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

export type ReadinessItem = { id: ReadinessId; state: ReadinessState; page: string };

/** `red`: the evening would fail. `amber`: unknown, or an open choice; it doesn't block. */
export const REASON_LEVELS = ['red', 'amber'] as const;
export type ReasonLevel = (typeof REASON_LEVELS)[number];

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
} as const satisfies Record<string, ReasonTarget & { level: ReasonLevel }>;

export type ProbeReasonId = keyof typeof PROBE_REASONS;
export type ReasonId = ReadinessId | ProbeReasonId;

const TARGETS: Record<ReasonId, ReasonTarget> = { ...READINESS, ...PROBE_REASONS };
/** All reasons against «Pronta», in display order. */
export const REASON_IDS: readonly ReasonId[] = keysOf(TARGETS);

/** Returns the page that fixes a reason, and the section of that page; null for its default. */
export function reasonTarget(id: ReasonId): { page: string; part: string | null } {
  const { page, part = null } = TARGETS[id];
  return { page, part };
}
