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
