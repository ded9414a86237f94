import type { ReadinessReport } from '../contract/admin/dashboard.ts';
import { hasSecondTrip, type Viaggio } from './content.ts';
import { italianDayOf, tripDays } from './days.ts';
import type { Verdict } from './diagnosis.ts';
import { type EveningTime, eveningTime } from './evening.ts';
import { DAY_MS, MINUTE_MS } from './limits.ts';
import { isUnreadable, type TicketPage } from './media.ts';
import { type Preparation, readiness } from './readiness.ts';
import {
  PROBE_REASONS,
  REASON_IDS,
  REASON_LEVELS,
  type ReadinessId,
  type ReadinessItem,
  type ReasonId,
  type ReasonLevel,
  reasonTarget,
} from './readiness-reasons.ts';
import { keysOf } from './records.ts';

/** Use of a file in the evening. */
export const FILE_ROLES = [
  'video',
  'poster',
  'light',
  'captions',
  'song',
  'picture_1',
  'picture_2',
  'tickets_1',
  'tickets_2',
] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** Result of reading a file to its end and decoding it; `untried`: not checked yet, or an error of the machine prevented it. */
export type FileState = 'whole' | 'gone' | 'changed' | 'undecodable' | 'untried';

/** Result of a request to the site address from outside the process. */
export type AddressProbe = {
  found: 'ours' | 'other' | 'silent';
  /** True if the address is public but not https. */
  isPlain: boolean;
  certificate: { isGood: boolean; until: string } | null;
};

/** `unset`: not set up. `silent`: no answer. `refused`: the credentials are refused. `unfound`: the recipient is unknown there. */
export type ChannelState = 'unset' | 'untried' | 'good' | 'silent' | 'refused' | 'unfound';

/** Results of all probes. */
export type ProbeResults = {
  files: readonly { role: FileRole; state: FileState }[];
  /** PDFs of tickets in use: their rendered pages, none if they can't be rendered; null until they are. */
  tickets: readonly { viaggio: Viaggio; pages: readonly Pick<TicketPage, 'finding'>[] | null }[];
  /** `unset`: the site has no address; null: not requested yet. */
  address: AddressProbe | 'unset' | null;
  /** Sharing from this computer. `changed`: under another address than the published one. */
  sharing: 'none' | 'shared' | 'changed';
  telegram: ChannelState;
  email: ChannelState;
  /** Difference between this machine's clock and others' in ms, positive if ahead; null if no other clock is known. */
  clockAheadMs: number | null;
  /** State of the rehearsal on a phone. `old`: the visible content has changed since. */
  rehearsal: 'never' | 'old' | 'seen';
  /** Verdicts of the tested phones. */
  phones: readonly Verdict[];
};

/** Tolerated clock error in ms; an opening would be early or late by as much. */
const CLOCK_MS = 2 * MINUTE_MS;
/** Automatic renewal happens earlier than this before the expiry, in ms. A certificate that ends sooner won't be renewed. */
const RENEWED_MS = 7 * DAY_MS;

type ReasonFlags = Partial<Record<ReasonId, boolean>>;

/** Returns the reasons against the evening from the probes' results. */
export function probeReasons(
  results: ProbeResults,
  { evening, begun, now }: { evening: EveningTime | null; begun: boolean; now: Date },
): ReasonFlags {
  return {
    ...fileReasons(results),
    ...ticketReasons(results.tickets),
    ...addressReasons(results.address, evening, now),
    address_changed: results.sharing === 'changed',
    shared_here: results.sharing !== 'none',
    telegram_bot: results.telegram === 'refused',
    telegram_chat: results.telegram === 'unfound',
    email_refused: results.email === 'refused',
    email_server: results.email === 'unfound',
    channel_untried: isOpen(results.telegram) || isOpen(results.email),
    clock: results.clockAheadMs !== null && Math.abs(results.clockAheadMs) > CLOCK_MS,
    clock_untold: results.clockAheadMs === null,
    ...(!begun && preparationReasons(results)),
  };
}

const isOpen = (channel: ChannelState) => channel === 'untried' || channel === 'silent';

function fileReasons({ files, tickets }: Pick<ProbeResults, 'files' | 'tickets'>): ReasonFlags {
  const isBroken = ({ state }: ProbeResults['files'][number]) => state !== 'whole' && state !== 'untried';
  const broken = FILE_ROLES.map((role) => [
    `${role}_broken` satisfies ReasonId,
    files.some((file) => file.role === role && isBroken(file)),
  ]);
  const isUnchecked =
    files.some(({ state }) => state === 'untried') || tickets.some(({ pages }) => pages === null);
  return { ...Object.fromEntries(broken), files_untried: isUnchecked };
}

/** Returns the reasons from the rendered pages: unreadable content, or a replaced font. */
function ticketReasons(tickets: ProbeResults['tickets']): ReasonFlags {
  return Object.fromEntries(
    tickets.flatMap(({ viaggio, pages }): [ReasonId, boolean][] => {
      if (pages === null) return [];
      const unreadable = pages.length === 0 || pages.some(isUnreadable);
      return [
        [`tickets_${viaggio}_unreadable`, unreadable],
        [`tickets_${viaggio}_font`, !unreadable && pages.some(({ finding }) => finding !== null)],
      ];
    }),
  );
}

function addressReasons(
  address: ProbeResults['address'],
  evening: EveningTime | null,
  now: Date,
): ReasonFlags {
  if (address === 'unset') return {};
  if (address === null) return { address_untried: true };
  const { found, isPlain, certificate } = address;
  const until = certificate === null ? Number.POSITIVE_INFINITY : Date.parse(certificate.until);
  const endsBefore = certificate?.isGood === true && until <= (evening?.ends ?? now.getTime());
  const isRenewed = until - now.getTime() > RENEWED_MS;
  return {
    address_silent: found === 'silent',
    address_other: found === 'other',
    address_plain: isPlain,
    certificate_bad: certificate?.isGood === false,
    certificate_ends: endsBefore && !isRenewed,
    certificate_renewal: endsBefore && isRenewed,
  };
}

/** Returns the reasons from rehearsal and tested phones; they don't matter once the evening has begun. */
function preparationReasons({ rehearsal, phones }: ProbeResults): ReasonFlags {
  const isBad = phones.includes('bad');
  const isKnown = phones.some((verdict) => verdict === 'good' || verdict === 'beware');
  return {
    rehearsal_none: rehearsal === 'never',
    rehearsal_old: rehearsal === 'old',
    phone_bad: isBad,
    phone_untried: !isBad && !isKnown,
    phone_beware: !isBad && isKnown && !phones.includes('good'),
  };
}

/** A reason why the evening isn't ready, or may not be: its page, and the section of that page, null for its default. */
export type Reason = ReadinessReport['reasons'][number];

/** Facts for the readiness verdict: the prepared content, and the probes' results. */
export type ReadinessFacts = {
  /** `over`: a visit has ended, and no code was created since. */
  preparation: Preparation & { config: { keepsake_until: string | null }; over: boolean };
  tried: ProbeResults;
};

/** Items that would disappoint but don't stop the evening: a choice, or a matter of sight and hearing. */
const NON_BLOCKING: ReadonlySet<ReadinessId> = new Set([
  'address',
  'proxy',
  'code_soon',
  'video_sound',
  'video_weight',
  'song_file',
  'song_volume',
  'her_name',
]);
/** Items whose default text must not be read on that evening. */
const READ_BY_VISITOR: ReadonlySet<ReadinessId> = new Set(['titles_1', 'titles_2']);

/** Returns the reasons against «Pronta?» (decision 068), most severe first. */
export function reasonsAgainst({ preparation, tried }: ReadinessFacts, now: Date): Reason[] {
  const levels = new Map<ReasonId, ReasonLevel>();
  for (const item of readiness(preparation, now)) {
    const level = levelOf(item);
    if (level !== null) levels.set(item.id, level);
  }
  const { config, begun } = preparation;
  const evening = eveningTime(config);
  const holding = { ...probeReasons(tried, { evening, begun, now }), ...dateReasons(preparation, now) };
  for (const id of keysOf(PROBE_REASONS)) if (holding[id] === true) levels.set(id, PROBE_REASONS[id].level);
  return REASON_LEVELS.flatMap((level) =>
    REASON_IDS.filter((id) => levels.get(id) === level).map((id) => ({ id, level, ...reasonTarget(id) })),
  );
}

function levelOf({ id, state }: ReadinessItem): ReasonLevel | null {
  if (state === 'ready') return null;
  if (state === 'missing' || READ_BY_VISITOR.has(id)) return 'red';
  return state === 'advice' || NON_BLOCKING.has(id) ? 'amber' : 'red';
}

/** Returns the reasons from dates that contradict the evening's date. */
function dateReasons(
  preparation: ReadinessFacts['preparation'],
  now: Date,
): Partial<Record<ReasonId, boolean>> {
  const { config, begun } = preparation;
  const { opens_at, data_laurea, keepsake_until } = config;
  const evening = eveningTime(config);
  const day = italianDayOf(evening === null || begun ? now : new Date(evening.begins));
  return {
    trip_days_1: !begun && isImpossible(config.data_partenza, config.data_ritorno, day),
    trip_days_2:
      !begun &&
      hasSecondTrip(preparation) &&
      isImpossible(config.data_partenza_2, config.data_ritorno_2, day),
    keepsake_before: !begun && keepsake_until !== null && keepsake_until < (data_laurea ?? day),
    opening_unset: !begun && opens_at === null,
  };
}

/** Returns true if a trip begins before the evening, or ends before it begins. Ambiguous dates don't count. */
function isImpossible(departure: string | null, homecoming: string | null, evening: string): boolean {
  const departureDay = tripDays(departure, null, evening)?.first;
  if (departureDay === undefined) return false;
  const returnDay = tripDays(homecoming, null, departureDay)?.first;
  return departureDay < evening || (returnDay !== undefined && returnDay < departureDay);
}

/** Verdict of «Pronta?»: `ready` if no reason is red, `over` after the evening. */
export const READY_VERDICTS = ['ready', 'not_ready', 'over'] as const;
export type ReadyVerdict = (typeof READY_VERDICTS)[number];

export function readyVerdict(
  { preparation }: Pick<ReadinessFacts, 'preparation'>,
  reasons: readonly Pick<Reason, 'level'>[],
): ReadyVerdict {
  if (preparation.over) return 'over';
  return reasons.some(({ level }) => level === 'red') ? 'not_ready' : 'ready';
}
