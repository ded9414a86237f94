import type { Capability } from '../../contract/visit.ts';
import type { Stage } from '../../domain/itinerary.ts';

/** The page of the sessions (spec 2 «Active sessions», 4 «Session»). */
export const sessionsTexts = {
  loadFailed: 'Errore caricamento sessioni',
  refresh: 'Aggiorna',
  active: 'Attive Ora',
  ended: 'Terminate',
  latestOnly: (shown: number, all: number) => `Qui ci sono le ultime ${shown} di ${all}.`,
  activeCount: (count: number) => (count === 1 ? '1 attiva' : `${count} attive`),
  endedCount: (count: number) => (count === 1 ? '1 terminata' : `${count} terminate`),
  online: 'ONLINE',
  offline: 'OFFLINE',
  empty: 'Nessuna sessione trovata',
  emptyHint: 'Quando qualcuno entra con un codice, lo vedi qui, passo dopo passo.',
  nobody: 'In questo momento non c’è dentro nessuno.',

  deletedCode: 'codice eliminato',
  deviceId: 'ID dispositivo',
  abilities: (can: string) => `Dispositivo: ${can}`,
  started: 'Inizio',
  lastActivity: 'Ultima attività',
  closed: 'Fine',

  progress: 'A che punto è',
  step: (step: number, all: number) => `tappa ${step} di ${all}`,
  states: { done: 'fatta', present: 'adesso', ahead: 'non ancora' },
  second: 'secondo viaggio',
  phrase: (phrase: number, all: number) => `frase ${phrase} di ${all}`,
  /** @param at minutes and seconds, `1:24` */
  minute: (at: string) => `al minuto ${at}`,
  background: 'schermo spento o altra app',
  unknownPosition: 'Punto sconosciuto',

  completed: 'Sorpresa completata',
  unfinished: 'Non completata',
  reached: 'Punto raggiunto',
  left: (exitPoint: string) => ` · uscita: ${exitPoint}`,
  reason: 'Motivo',
} as const;

/** Labels of browser capabilities for the administrator. */
export const capabilityLabels: Record<Capability, string> = {
  in_app: 'dentro un’app',
  full_screen: 'schermo intero',
  wake_lock: 'schermo sempre acceso',
  media_session: 'comandi multimediali',
  share_files: 'condivisione',
  storage: 'memoria del sito',
  navigation_api: 'indietro annullabile',
  save_data: 'risparmio dati',
};

/** Labels of stages for the administrator. */
export const stageLabels: Record<Stage, string> = {
  pre_phrases: 'Frasi pre-video',
  video: 'Video',
  between_phrases: 'Frasi tra i viaggi',
  phrases: 'Frasi',
  destination: 'Destinazione',
  card: 'Biglietti',
  questions: 'Domande',
  closing: 'Finale',
};

const reasons: Record<string, string> = {
  user_logout: 'Ha chiuso la pagina',
  timeout: 'Collegamento perso',
  token_revoked: 'Codice disattivato',
  token_deleted: 'Codice eliminato',
};

/** Returns the label of an end reason; a completed visit ends by closing the page. An unknown reason is returned unchanged. */
export function reasonLabel(reason: string | null, completed: boolean): string {
  if (completed && reason === 'user_logout') return 'È arrivata alla fine';
  return reason === null ? '—' : (reasons[reason] ?? reason);
}
