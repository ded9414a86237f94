import ical from 'ical-generator';
import { type Trip, tripOf, type Viaggio } from '../../../domain/content.ts';
import { daysOf } from '../../../domain/keepsake.ts';
import { dayAfter, type TripDays } from '../../../domain/trip-dates.ts';
import type { Deps } from '../../deps.ts';
import type { Trusts } from '../../http/address.ts';
import { disposition } from '../../http/disposition.ts';
import { refuse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import { isRefused } from '../../refused.ts';
import { requireOpenKeepsake } from '../visit/keepsake.ts';
import { eveningOf } from '../visit/snapshot.ts';

/** `GET /keepsake/calendar/{1|2}/viaggio.ics`: a trip of the evening for a calendar, where its days can be read. */
export function calendarHandler(deps: Deps, trusts: Trusts): Handler {
  return async (c) => {
    const found = await requireOpenKeepsake(requestContext(deps, trusts, c).context);
    if (isRefused(found)) return refuse(found.refused);
    const { row } = found.keepsake;
    const { snapshot } = await eveningOf(deps.db, row);
    const viaggio: Viaggio = c.req.path.includes('/calendar/2/') ? 2 : 1;
    const days = daysOf(snapshot, viaggio, new Date(row.started_at));
    if (days === null) return refuse('NOT_FOUND');
    // The same trip of the same visit is the same entry, however often it is taken.
    const id = `${row.id}-${viaggio}@sorpresa`;
    return new Response(calendarOf(tripOf(snapshot, viaggio), days, { id, now: deps.now() }), { headers });
  };
}

/** One entry of whole days; its end is the day after the last, as the format (RFC 5545) wants it. */
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
  'Content-Disposition': disposition('attachment', 'viaggio.ics'),
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
};
