import type { Viaggio } from './content.ts';
import type { Verdict } from './diagnosis.ts';
import { type EveningTime } from './evening-time.ts';
import type { ReasonId } from './readiness-reasons.ts';
import { isUnreadable, type TicketPage } from './ticket-pages.ts';
import { DAY_MS, MINUTE_MS } from './time.ts';

/** What a file of the evening is there for. */
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

/** How a file was found when it was read to its end and decoded; `untried`: not yet, or a machine's error was in the way. */
export type FileState = 'whole' | 'gone' | 'changed' | 'undecodable' | 'untried';

/** What answers at the site's address, asked for from outside the process. */
export type AddressProbe = {
  found: 'ours' | 'other' | 'silent';
  /** Everybody reaches it, and it isn't https. */
  isPlain: boolean;
  certificate: { isGood: boolean; until: string } | null;
};

/** `unset`: it isn't set up. `silent`: nobody answered. `refused`: how we sign in is. `unfound`: whom it is for isn't known there. */
export type ChannelState = 'unset' | 'untried' | 'good' | 'silent' | 'refused' | 'unfound';

/** What is known by trying. */
export type ProbeResults = {
  files: readonly { role: FileRole; state: FileState }[];
  /** The PDFs of tickets in use: their drawn pages, none if they can't be drawn; null until they are. */
  tickets: readonly { viaggio: Viaggio; pages: readonly Pick<TicketPage, 'finding'>[] | null }[];
  /** `unset`: there is no address of its own; null: it wasn't asked for yet. */
  address: AddressProbe | 'unset' | null;
  /** Is it shared from this computer? `changed`: under another address than the one that was given out. */
  sharing: 'none' | 'shared' | 'changed';
  telegram: ChannelState;
  email: ChannelState;
  /** How far this machine's clock is ahead of what others tell, in milliseconds; null where nobody told. */
  clockAheadMs: number | null;
  /** Was it rehearsed to its end on a phone? `old`: what she sees has changed since. */
  rehearsal: 'never' | 'old' | 'seen';
  /** What the tried phones came to. */
  phones: readonly Verdict[];
};

/** A clock may be wrong by so much: an opening comes so much too early or too late. Milliseconds. */
const CLOCK_MS = 2 * MINUTE_MS;
/** Who renews a certificate by himself does so long before: one that ends sooner than this won't be renewed. Milliseconds. */
const RENEWED_MS = 7 * DAY_MS;

type ReasonFlags = Partial<Record<ReasonId, boolean>>;

/** What speaks against the evening among what was tried: each reason that holds. */
export function probeReasons(
  tried: ProbeResults,
  { evening, begun, now }: { evening: EveningTime | null; begun: boolean; now: Date },
): ReasonFlags {
  return {
    ...ofFiles(tried),
    ...ofTickets(tried.tickets),
    ...ofAddress(tried.address, evening, now),
    address_changed: tried.sharing === 'changed',
    shared_here: tried.sharing !== 'none',
    telegram_bot: tried.telegram === 'refused',
    telegram_chat: tried.telegram === 'unfound',
    email_refused: tried.email === 'refused',
    email_server: tried.email === 'unfound',
    channel_untried: isOpen(tried.telegram) || isOpen(tried.email),
    clock: tried.clockAheadMs !== null && Math.abs(tried.clockAheadMs) > CLOCK_MS,
    clock_untold: tried.clockAheadMs === null,
    ...(!begun && beforehand(tried)),
  };
}

const isOpen = (channel: ChannelState) => channel === 'untried' || channel === 'silent';

function ofFiles({ files, tickets }: Pick<ProbeResults, 'files' | 'tickets'>): ReasonFlags {
  const isBroken = ({ state }: ProbeResults['files'][number]) => state !== 'whole' && state !== 'untried';
  const broken = FILE_ROLES.map((role) => [
    `${role}_broken` satisfies ReasonId,
    files.some((file) => file.role === role && isBroken(file)),
  ]);
  const isUntried =
    files.some(({ state }) => state === 'untried') || tickets.some(({ pages }) => pages === null);
  return { ...Object.fromEntries(broken), files_untried: isUntried };
}

/** What may not be seen, or look otherwise, on the drawn pages. */
function ofTickets(tickets: ProbeResults['tickets']): ReasonFlags {
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

function ofAddress(address: ProbeResults['address'], evening: EveningTime | null, now: Date): ReasonFlags {
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

/** What is tried before, and matters no more once it has begun. */
function beforehand({ rehearsal, phones }: ProbeResults): ReasonFlags {
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
