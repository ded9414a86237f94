import { hasSecondTrip, type Snapshot, TRIPS, tripOf, type Viaggio } from './content.ts';
import { italianDayOf } from './days.ts';
import { itinerary } from './itinerary.ts';
import { DEFAULT_TEXTS } from './limits.ts';
import { recipientName } from './recipient-name.ts';
import { type StageContent, type StoredAnswers, stageContent } from './stage-content.ts';
import { type TripDays, tripDays } from './trip-dates.ts';

/**
 * Is there a keepsake now? It lasts through the whole of its last day in Italy.
 * @param until a calendar day, `YYYY-MM-DD`, or null where none is left
 */
export function isKeepsakeOpen(until: string | null, now: Date): until is string {
  return until !== null && italianDayOf(now) <= until;
}

/** What is looked at again. */
export type KeepsakeContent = {
  recipient_name: string | null;
  stages: StageContent[];
  /** The trips whose days can be read: each may be put into a calendar. */
  calendars: Viaggio[];
};

/** A whole evening, once it was seen to its end. `began`: its first moment. */
export function keepsakeContent(snapshot: Snapshot, answers: StoredAnswers, began: Date): KeepsakeContent {
  return {
    recipient_name: recipientName(snapshot.config),
    stages: itinerary(snapshot).map((step) => stageContent(snapshot, step, answers)),
    calendars: TRIPS.filter((viaggio) => tripDaysOf(snapshot, viaggio, began) !== null),
  };
}

/** The days of one of its trips; null where there is no such trip, or they can't be read. */
export function tripDaysOf(snapshot: Snapshot, viaggio: Viaggio, began: Date): TripDays | null {
  if (viaggio === 2 && !hasSecondTrip(snapshot)) return null;
  const { data_partenza, data_ritorno } = tripOf(snapshot, viaggio);
  const homecoming = data_ritorno === DEFAULT_TEXTS.data ? null : data_ritorno;
  return tripDays(data_partenza, homecoming, italianDayOf(began));
}
