import ical from 'ical-generator';
import { type Trip, tripOf } from '../../../domain/content.ts';
import { tripDaysOf } from '../../../domain/keepsake.ts';
import { dayAfter, type TripDays } from '../../../domain/trip-dates.ts';
import type { Deps } from '../../deps.ts';
import type { IsTrustedProxy } from '../../http/address.ts';
import type { Endpoint } from '../../http/api.ts';
import { contentDisposition } from '../../http/disposition.ts';
import { errorResponse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import { isRefused } from '../../refused.ts';
import { tripIn } from '../tickets/tickets.routes.ts';
import { requireOpenKeepsake } from '../visit/keepsake.ts';
import { loadVisitPlan } from '../visit/snapshot.ts';

export function calendarEndpoint(deps: Deps, trusts: IsTrustedProxy): Endpoint {
  const answer: Handler = async (c) => {
    const result = await requireOpenKeepsake(requestContext(deps, trusts, c).context);
    if (isRefused(result)) return errorResponse(result.refused);
    const { row } = result.keepsake;
    const { snapshot } = await loadVisitPlan(deps.db, row);
    const viaggio = tripIn(c);
    const days = tripDaysOf(snapshot, viaggio, new Date(row.started_at));
    if (days === null) return errorResponse('NOT_FOUND');
    // The id stays the same for a trip of a visit, so that importing it again adds no second entry.
    const id = `${row.id}-${viaggio}@sorpresa`;
    return new Response(calendarOf(tripOf(snapshot, viaggio), days, { id, now: deps.now() }), { headers });
  };
  return {
    method: 'GET',
    path: '/keepsake/calendar/{viaggio}/viaggio.ics',
    summary: 'A trip as a calendar file, where its days can be read',
    responseType: 'text/calendar',
    refusals: ['KEEPSAKE_CLOSED', 'NO_KEEPSAKE', 'NOT_FOUND'],
    answer,
  };
}

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

const headers = {
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Disposition': contentDisposition('attachment', 'viaggio.ics'),
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
};
