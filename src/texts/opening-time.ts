/** The evening that opens at a moment (decision 062). */

/**
 * A moment by its day and hour, for example `sabato 12 dicembre alle 21:00`.
 * @param timeZone whose clocks show it; without one those of this device
 * @param year `numeric` where it is to be said, too
 */
export function dayAndHour(moment: string | Date, timeZone?: string, year?: 'numeric'): string {
  const said = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('it-IT', { ...options, timeZone }).format(new Date(moment));
  const day = said({ weekday: 'long', day: 'numeric', month: 'long', year });
  // The first of a month is an ordinal in Italian.
  return `${day.replace(' 1 ', ' 1º ')} alle ${said({ timeStyle: 'short' })}`;
}

/** What she reads who comes before the hour. @param when its day and hour */
export const tooEarly = (when: string): string => `È ancora presto: ti aspetto ${when}.`;
