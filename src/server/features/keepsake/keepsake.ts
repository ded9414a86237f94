import ical from 'ical-generator';
import type { KeepsakeView } from '../../../contract/visit.ts';
import { isBlank } from '../../../domain/blank.ts';
import { normalizeCode } from '../../../domain/codes.ts';
import { type Trip, tripOf } from '../../../domain/content.ts';
import { dayAfter, type TripDays } from '../../../domain/days.ts';
import { keepsakeContent, tripDaysOf } from '../../../domain/evening.ts';
import { KEEPSAKE, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { calls, os, withGuard } from '../../http/calls.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import { fileHeaders } from '../../http/send.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { attemptCode } from '../access/access.service.ts';
import type { CodeAttempt, EntryContext, EntryDenied } from '../access/entry.ts';
import { cancelForVisit, enqueueNotification } from '../notifications/notifications.repo.ts';
import { tripIn } from '../tickets/tickets.ts';
import { updateKeepsake } from '../visit/keepsake.repo.ts';
import {
  type Keepsake,
  keepsakeCookieExpiry,
  requireKeepsake,
  requireOpenKeepsake,
} from '../visit/keepsake.ts';
import { codeName } from '../visit/sessions.repo.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';
import { readAnswers } from '../visit/visit.repo.ts';

export const keepsakeCalls = calls(os.keepsake, {
  read: withGuard(requireKeepsake, ({ keepsake }) => ({ open: keepsake.open })),
  open: withGuard(requireKeepsake, async (ctx, { token }, request) => {
    const { address, user_agent, connection, cookies } = request;
    const evening = await openKeepsake(ctx, ctx.keepsake, { token, address, user_agent, connection });
    if (!isRefused(evening) && cookies.keepsake !== null)
      request.setPassCookie('keepsake', cookies.keepsake, keepsakeCookieExpiry(ctx));
    return evening;
  }),
  reply: withGuard(requireOpenKeepsake, (ctx, { text }) => writeBack(ctx, ctx.keepsake, text)),
});

type OpenDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'secret' | 'rateLimiter' | 'live' | 'log'>;
/** The typed code and its origin. */
type CodeInput = Omit<CodeAttempt, 'device_id'>;

/**
 * Opens the keepsake for some hours with the visit's own code, and returns it. A wrong code counts and is reported like
 * a failed entry.
 */
export async function openKeepsake(
  deps: OpenDeps,
  keepsake: Keepsake,
  typed: CodeInput,
): Promise<KeepsakeView | Refusal<'CODE_EMPTY' | 'CODE_INVALID' | 'TOO_MANY_ATTEMPTS'>> {
  const { device_id } = keepsake.row;
  const opened = await attemptCode(deps, { ...typed, device_id }, (at, normalized) =>
    unlock(at, keepsake, normalized),
  );
  return isRefused(opened) ? opened : keepsakeView(deps, keepsake);
}

async function unlock(
  { tx, now }: EntryContext,
  { row }: Keepsake,
  normalized: string,
): Promise<{ opened: true } | EntryDenied<'CODE_INVALID'>> {
  if (normalized !== normalizeCode(row.token_value))
    return {
      ...refuse('CODE_INVALID'),
      token_id: null,
      token_value: normalized.slice(0, REFUSED_ENTRIES.typedChars),
    };
  await updateKeepsake(tx, row.id, {
    open_until: new Date(now.getTime() + KEEPSAKE.openMs).toISOString(),
  });
  return { opened: true };
}

async function keepsakeView({ db }: Pick<Deps, 'db'>, { row, until }: Keepsake): Promise<KeepsakeView> {
  const { snapshot } = await loadVisitPlan(db, row);
  const answers = await readAnswers(db, row.id);
  return {
    until,
    ...keepsakeContent(snapshot, answers, new Date(row.started_at)),
    answers: [...answers].map(([viaggio, tripAnswers]) => ({ viaggio, ...tripAnswers })),
    reply: row.reply,
  };
}

/**
 * Stores the visitor's reply, replacing an earlier one; a blank reply deletes it. The administrator is notified a
 * minute later, of the latest text only.
 */
export async function writeBack(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  { row }: Keepsake,
  text: string,
): Promise<{ reply: string | null }> {
  const reply = isBlank(text) ? null : text.trim();
  if (reply === row.reply) return { reply };
  await deps.inTransaction(async (tx) => {
    const now = deps.now();
    await updateKeepsake(tx, row.id, { reply, replied_at: reply === null ? null : now.toISOString() });
    await cancelForVisit(tx, row.id, 'keepsake_reply');
    if (reply === null) return;
    const { token_value } = row;
    const nome = await codeName(tx, row.token_id);
    const notice = { type: 'keepsake_reply', token_value, nome, testo: reply } as const;
    await enqueueNotification(tx, notice, now, { session_id: row.id, after: KEEPSAKE.notifyAfterMs });
  });
  publishChange(deps, 'answers');
  return { reply };
}

export const calendarEndpoint: Endpoint = {
  method: 'GET',
  path: '/keepsake/calendar/{viaggio}/viaggio.ics',
  summary: 'A trip as a calendar file, where its days can be read',
  responseType: 'text/calendar',
  refusals: ['KEEPSAKE_CLOSED', 'NO_KEEPSAKE', 'NOT_FOUND'],
  answer: guarded(requireOpenKeepsake, async (c, { db, now, keepsake: { row } }) => {
    const { snapshot } = await loadVisitPlan(db, row);
    const viaggio = tripIn(c);
    const days = tripDaysOf(snapshot, viaggio, new Date(row.started_at));
    if (days === null) return errorResponse('NOT_FOUND');
    // The id stays the same for a trip of a visit, so that importing it again adds no second entry.
    const id = `${row.id}-${viaggio}@sorpresa`;
    return new Response(calendarOf(tripOf(snapshot, viaggio), days, { id, now: now() }), {
      headers: CALENDAR_HEADERS,
    });
  }),
};

/** Returns one all-day event. Its end is the day after the last, as RFC 5545 requires. */
function calendarOf(trip: Trip, { first, last }: TripDays, { id, now }: { id: string; now: Date }): string {
  return ical({
    prodId: { company: 'Sorpresa', product: 'Ricordo', language: 'IT' },
    events: [
      {
        id,
        stamp: now,
        start: new Date(first),
        end: new Date(dayAfter(last)),
        allDay: true,
        summary: trip.titolo_viaggio,
        location: trip.titolo_destinazione,
      },
    ],
  }).toString();
}

/** Without a file's sandbox: iOS opens the event in the page. */
const { 'Content-Security-Policy': _sandbox, ...CALENDAR_HEADERS } = fileHeaders({
  type: 'text/calendar; charset=utf-8',
  name: 'viaggio.ics',
});
