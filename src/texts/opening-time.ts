/** Texts of the opening time and its countdown (decision 004). */

/** Seconds of a day, an hour, a minute, a second. */
const UNIT_SECONDS = [86_400, 3_600, 60, 1];

/**
 * Returns the days, hours, minutes and seconds of a wait.
 * @param ms remaining ms; a started second counts as a whole one, a negative value as 0
 */
export function timeLeft(ms: number): number[] {
  let rest = Math.max(0, Math.ceil(ms / 1_000));
  return UNIT_SECONDS.map((unit) => {
    const count = Math.floor(rest / unit);
    rest %= unit;
    return count;
  });
}

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

/** Singular and plural of days, hours, minutes, seconds. */
const UNITS = [
  ['giorno', 'giorni'],
  ['ora', 'ore'],
  ['minuto', 'minuti'],
  ['secondo', 'secondi'],
] as const;

/** The countdown on the access screen (decision 004). */
export const countdownTexts = {
  /** @param unit days, hours, minutes, seconds, from 0 */
  unit: (unit: number, count: number): string | undefined => UNITS[unit]?.[count === 1 ? 0 : 1],
  left: 'Quanto manca',
  stay: 'Se lasci aperta questa pagina, a quell’ora si apre da sola.',
  now: 'Ci siamo…',
  /** The opening time has come but the server can't be reached. */
  lost: 'L’ora è arrivata, ma manca la connessione: appena torna si apre.',
} as const;
