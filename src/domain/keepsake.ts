import { hasSecondTrip, type Snapshot, TRIPS, tripOf, type Viaggio } from './content.ts';
import { italianDayOf } from './days.ts';
import { itinerary } from './itinerary.ts';
import { DEFAULT_TEXTS } from './limits.ts';
import { recipientName } from './recipient-name.ts';
import { type StageContent, type StoredAnswers, stageContent } from './stage-content.ts';
import { type TripDays, tripDays } from './trip-dates.ts';

/**
 * Returns true if the keepsake is open. It stays open through the whole of its last day in Italy.
 * @param until a calendar day, `YYYY-MM-DD`; null if there is no keepsake
 */
export function isKeepsakeOpen(until: string | null, now: Date): until is string {
  return until !== null && italianDayOf(now) <= until;
}

/** Content of a keepsake. */
export type KeepsakeContent = {
  recipient_name: string | null;
  stages: StageContent[];
  /** Trips whose dates can be parsed; each can be added to a calendar. */
  calendars: Viaggio[];
};

/** Returns the content of a whole evening, for a completed visit. @param began start of the visit */
export function keepsakeContent(snapshot: Snapshot, answers: StoredAnswers, began: Date): KeepsakeContent {
  return {
    recipient_name: recipientName(snapshot.config),
    stages: itinerary(snapshot).map((step) => stageContent(snapshot, step, answers)),
    calendars: TRIPS.filter((viaggio) => tripDaysOf(snapshot, viaggio, began) !== null),
  };
}

/** Returns the days of one of its trips; null if there is no such trip or its dates can't be parsed. */
export function tripDaysOf(snapshot: Snapshot, viaggio: Viaggio, began: Date): TripDays | null {
  if (viaggio === 2 && !hasSecondTrip(snapshot)) return null;
  const { data_partenza, data_ritorno } = tripOf(snapshot, viaggio);
  const homecoming = data_ritorno === DEFAULT_TEXTS.data ? null : data_ritorno;
  return tripDays(data_partenza, homecoming, italianDayOf(began));
}
