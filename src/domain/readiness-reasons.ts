import { READINESS_IDS, READINESS_PAGE, READINESS_PART, type ReadinessId } from './readiness-ids.ts';
import { keysOf } from './records.ts';

/** `red`: it would go wrong. `amber`: it isn't known, or a choice wasn't taken; no hindrance. */
export const REASON_LEVELS = ['red', 'amber'] as const;
export type ReasonLevel = (typeof REASON_LEVELS)[number];

/** `part`: the part of that page, where the page opens with another one. */
type ReasonTarget = { level: ReasonLevel; page: `/admin/${string}`; part?: string };

/** What is known by trying, or isn't known yet: how grave it is, and where it is mended. */
export const PROBE_REASONS = {
  video_broken: { level: 'red', page: '/admin/video' },
  poster_broken: { level: 'red', page: '/admin/video' },
  light_broken: { level: 'red', page: '/admin/video' },
  captions_broken: { level: 'red', page: '/admin/video' },
  song_broken: { level: 'red', page: '/admin/musica' },
  picture_1_broken: { level: 'red', page: '/admin/immagine' },
  picture_2_broken: { level: 'red', page: '/admin/second-trip-details' },
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

/** Everything that may speak against «Pronta», in the order in which it is said. */
export const REASON_IDS: readonly ReasonId[] = [...READINESS_IDS, ...keysOf(PROBE_REASONS)];

const isTried = (id: ReasonId): id is ProbeReasonId => Object.hasOwn(PROBE_REASONS, id);

/** Where it is mended. */
export const reasonPage = (id: ReasonId): string =>
  isTried(id) ? PROBE_REASONS[id].page : READINESS_PAGE[id];

/** The part of that page, or null: it opens with the right one. */
export function reasonPagePart(id: ReasonId): string | null {
  if (!isTried(id)) return READINESS_PART[id] ?? null;
  const mended: ReasonTarget = PROBE_REASONS[id];
  return mended.part ?? null;
}

/** How grave it is, where it is known by trying. */
export const probeReasonLevel = (id: ProbeReasonId): ReasonLevel => PROBE_REASONS[id].level;
