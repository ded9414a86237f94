/** The opening time (decision 004). */

/**
 * Formats a moment by its day and hour, for example `sabato 12 dicembre alle 21:00`.
 * @param timeZone time zone of the clock; by default the device's
 * @param year `numeric` to include the year
 */
export function dayAndHour(moment: string | Date, timeZone?: string, year?: 'numeric'): string {
  const formatPart = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('it-IT', { ...options, timeZone }).format(new Date(moment));
  const day = formatPart({ weekday: 'long', day: 'numeric', month: 'long', year });
  // The first of a month is an ordinal in Italian.
  return `${day.replace(' 1 ', ' 1º ')} alle ${formatPart({ timeStyle: 'short' })}`;
}

/** Shown to a visitor who comes before the opening time. @param when its day and hour */
export const tooEarly = (when: string): string => `È ancora presto: ti aspetto ${when}.`;
