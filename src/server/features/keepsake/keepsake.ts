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
import { guarded, type RequestContext } from '../../http/request-context.ts';
import { fileHeaders } from '../../http/send.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { attemptCode } from '../access/enter.ts';
import type { EntryContext, EntryDenied } from '../access/redeem.ts';
import { cancelForVisit, enqueueNotification } from '../notifications/notifications.repo.ts';
import { tripIn } from '../tickets/tickets.ts';
import {
  type Keepsake,
  keepsakeCookieExpiry,
  requireKeepsake,
  requireOpenKeepsake,
  updateKeepsake,
} from '../visit/keepsake.ts';
import { codeName } from '../visit/sessions.repo.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';
import { readAnswers } from '../visit/visitor.ts';

export const keepsakeCalls = calls(os.keepsake, {
  read: withGuard(requireKeepsake, ({ keepsake }) => ({ open: keepsake.open })),
  open: withGuard(requireKeepsake, openKeepsake),
  reply: withGuard(requireOpenKeepsake, writeBack),
});

type KeepsakeCtx = Deps & { keepsake: Keepsake };

/**
 * Opens the keepsake for some hours with the visit's own code, and returns it. A wrong code counts and is reported like
 * a failed entry.
 */
async function openKeepsake(
  ctx: KeepsakeCtx,
  { token }: { token: string },
  request: RequestContext,
): Promise<KeepsakeView | Refusal<'CODE_EMPTY' | 'CODE_INVALID' | 'TOO_MANY_ATTEMPTS'>> {
  const { address, user_agent, connection, cookies } = request;
  const { row, until } = ctx.keepsake;
  const typed = { token, device_id: row.device_id, address, user_agent, connection };
  const opened = await attemptCode(ctx, typed, (at, normalized) => unlock(at, ctx.keepsake, normalized));
  if (isRefused(opened)) return opened;
  const { snapshot } = await loadVisitPlan(ctx.db, row);
  const answers = await readAnswers(ctx.db, row.id);
  if (cookies.keepsake !== null)
    request.setPassCookie('keepsake', cookies.keepsake, keepsakeCookieExpiry(ctx));
  return {
    until,
    ...keepsakeContent(snapshot, answers, new Date(row.started_at)),
    answers: [...answers].map(([viaggio, tripAnswers]) => ({ viaggio, ...tripAnswers })),
    reply: row.reply,
  };
}

async function unlock(
  { tx, now }: EntryContext,
  { row }: Keepsake,
  normalized: string,
): Promise<{ opened: true } | EntryDenied<'CODE_INVALID'>> {
  const token_value = normalized.slice(0, REFUSED_ENTRIES.typedChars);
  if (normalized !== normalizeCode(row.token_value))
    return { ...refuse('CODE_INVALID'), token_id: null, token_value };
  await updateKeepsake(tx, row.id, { open_until: new Date(now.getTime() + KEEPSAKE.openMs).toISOString() });
  return { opened: true };
}

/**
 * Stores the visitor's reply, replacing an earlier one; a blank reply deletes it. The administrator is notified a
 * minute later, of the latest text only.
 */
async function writeBack(ctx: KeepsakeCtx, { text }: { text: string }): Promise<{ reply: string | null }> {
  const { row } = ctx.keepsake;
  const reply = isBlank(text) ? null : text.trim();
  if (reply === row.reply) return { reply };
  await ctx.inTransaction(async (tx) => {
    const now = ctx.now();
    await updateKeepsake(tx, row.id, { reply, replied_at: reply === null ? null : now.toISOString() });
    await cancelForVisit(tx, row.id, 'keepsake_reply');
    if (reply === null) return;
    const { token_value } = row;
    const nome = await codeName(tx, row.token_id);
    const notice = { type: 'keepsake_reply', token_value, nome, testo: reply } as const;
    await enqueueNotification(tx, notice, now, { session_id: row.id, after: KEEPSAKE.notifyAfterMs });
  });
  publishChange(ctx, 'answers');
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
