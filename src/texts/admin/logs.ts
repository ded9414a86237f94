import type { EventRecord } from '../../contract/admin/logs.ts';
import type { ExitPoint } from '../../domain/itinerary.ts';
import { ACCESS_CHART_DAYS } from '../../domain/limits.ts';
import { deniedMessages } from '../errors.ts';

/** Labels of event types on the page and in the CSV: the specification's seven (spec 4 «Event types») and ours. */
export const eventLabels = {
  session_started: 'Sessione iniziata',
  session_ended: 'Sessione terminata',
  access_granted: 'Accesso consentito',
  access_denied: 'Accesso negato',
  forced_disconnect: 'Disconnessione forzata',
  token_created: 'Codice creato',
  token_revoked: 'Codice revocato',
  admin_signed_in: 'Accesso all’area riservata',
  admin_sign_in_failed: 'Accesso all’area riservata fallito',
  admin_password_changed: 'Password cambiata',
  admin_email_changed: 'E-mail cambiata',
  admin_sessions_ended: 'Altri dispositivi scollegati',
  archive_downloaded: 'Copia di sicurezza scaricata',
  archive_restored: 'Copia di sicurezza ripristinata',
} as const;
type KnownEvent = keyof typeof eventLabels;

export function isKnownEvent(event_type: string): event_type is KnownEvent {
  return Object.hasOwn(eventLabels, event_type);
}

/** Returns the label of an event type; an unknown one is returned unchanged (spec 4). */
export function eventLabel(event_type: string): string {
  return isKnownEvent(event_type) ? eventLabels[event_type] : event_type;
}

/** Positions of the visitor when leaving. */
export const exitPointTexts: Record<ExitPoint, string> = {
  during_pre_phrases: 'tra le prime frasi e il video',
  during_post_phrases: 'tra le frasi, l’immagine e i biglietti',
  during_checkboxes: 'alle domande',
  after_checkboxes: 'dopo le risposte',
};

/** Ends of «Qualcuno ha provato il codice …», by the logged reason of the denial. */
const refusals = new Map<string | null, string>([
  [deniedMessages.token_unknown, ', che non esiste o è disattivato'],
  [deniedMessages.token_expired, ', che è scaduto'],
  [deniedMessages.token_exhausted, ', che ha finito gli accessi'],
  [deniedMessages.too_early, ' troppo presto: la serata non era ancora aperta'],
]);

type EventFacts = Pick<EventRecord, 'event_type' | 'token_value' | 'error_message' | 'metadata'>;

const sentences: Record<KnownEvent, (event: EventFacts) => string> = {
  session_started: (event) =>
    event.metadata.resumed === true
      ? `La visita con il codice ${code(event)} è ripresa.`
      : `È cominciata una visita con il codice ${code(event)}.`,
  session_ended: (event) => `${ending(event)}${place(event)}.`,
  access_granted: (event) => `Qualcuno è entrato con il codice ${code(event)}.`,
  access_denied: (event) => {
    const refusal = refusals.get(event.error_message);
    return refusal === undefined
      ? `Il codice ${code(event)} non ha aperto: ${event.error_message ?? 'non valido'}.`
      : `Qualcuno ha provato il codice ${code(event)}${refusal}.`;
  },
  forced_disconnect: (event) =>
    `Chi era dentro con il codice ${code(event)} è stato disconnesso: il codice è stato ${revocation(event)}.`,
  token_created: (event) => `È stato creato il codice ${code(event)}.`,
  token_revoked: (event) => `Il codice ${code(event)} è stato ${revocation(event)}.`,
  admin_signed_in: ({ metadata }) =>
    metadata.registered === true
      ? 'È stato creato l’accesso all’area riservata.'
      : 'Qualcuno è entrato nell’area riservata con la password giusta.',
  admin_sign_in_failed: () => 'Qualcuno ha provato a entrare nell’area riservata senza riuscirci.',
  admin_password_changed: ({ metadata }) =>
    metadata.by === 'command'
      ? 'La password dell’area riservata è stata cambiata da chi gestisce il server.'
      : 'La password dell’area riservata è stata cambiata.',
  admin_email_changed: () => 'L’e-mail con cui si entra nell’area riservata è stata cambiata.',
  admin_sessions_ended: () => 'Gli altri dispositivi sono stati scollegati dall’area riservata.',
  archive_downloaded: () => 'È stata scaricata una copia di sicurezza di tutto.',
  archive_restored: () => 'Il sito è stato ripristinato da una copia di sicurezza.',
};

/** Returns an event as a sentence; an unknown type is returned unchanged. */
export function eventSentence(event: EventFacts): string {
  return isKnownEvent(event.event_type) ? sentences[event.event_type](event) : event.event_type;
}

const code = ({ token_value }: EventFacts) => token_value ?? NOT_AVAILABLE;

const revocation = ({ metadata }: EventFacts) =>
  metadata.reason === 'token_deleted' ? 'eliminato' : 'disattivato';

function ending({ metadata, ...event }: EventFacts): string {
  const visitText = `La visita con il codice ${event.token_value ?? NOT_AVAILABLE}`;
  if (metadata.completed === true) return `${visitText} è arrivata alla fine`;
  if (metadata.reason === 'timeout') return `${visitText} ha perso il collegamento`;
  return `${visitText} è stata lasciata`;
}

function place({ metadata }: EventFacts): string {
  if (metadata.completed === true) return '';
  const point = Object.entries(exitPointTexts).find(([name]) => name === metadata.exit_point);
  return point ? `, ${point[1]}` : '';
}

/** Placeholder for a code or a device that an event doesn't have (spec 7). */
export const NOT_AVAILABLE = 'N/A';

/** The CSV (spec 7 «Sessions and logs»). */
export const csvTexts = {
  columns: ['Data/Ora', 'Tipo Evento', 'Token', 'Device ID', 'Successo', 'Errore'],
  yes: 'Sì',
  no: 'No',
} as const;

const number = new Intl.NumberFormat('it-IT');

/** The page of the events (spec 2 «Event logs», 4 «Event types», 7 «Sessions and logs»). */
export const logsTexts = {
  loadFailed: 'Errore caricamento log',
  refresh: 'Aggiorna',
  filter: 'Tipo di evento',
  all: 'Tutti gli eventi',
  /** Filter for all events of the administrator's account. */
  admin: 'Area riservata',
  count: (all: number) => (all === 1 ? '1 evento' : `${number.format(all)} eventi`),
  latestOnly: (shown: number, all: number) =>
    `Qui ci sono gli ultimi ${number.format(shown)} di ${number.format(all)}: nel CSV ci sono tutti.`,
  onlyCounted: (attempts: number) =>
    attempts === 1
      ? 'Un altro tentativo non riuscito è stato solo contato.'
      : `Altri ${number.format(attempts)} tentativi non riusciti sono stati solo contati.`,
  list: 'Eventi, dal più recente',
  empty: 'Nessun evento',
  emptyHint:
    'Qui resta scritto chi entra e chi esce, ogni codice creato o revocato e ogni accesso all’area riservata.',
  emptyOfKind: 'Nessun evento di questo tipo',
  showAll: 'Mostra tutti',

  accesses: {
    loadFailed: 'Errore caricamento accessi',
    title: `Accessi negli ultimi ${ACCESS_CHART_DAYS} giorni`,
    /** The chart's content in one sentence. */
    summary: (granted: number, denied: number) =>
      `${granted === 1 ? '1 accesso riuscito' : `${number.format(granted)} accessi riusciti`}, ${
        denied === 1 ? '1 rifiutato' : `${number.format(denied)} rifiutati`
      }.`,
    day: 'Giorno',
    granted: 'Riusciti',
    denied: 'Rifiutati',
    table: 'Accessi giorno per giorno, dove ce ne sono stati',
  },

  export: 'Esporta CSV',
  exportExcel: 'CSV per Excel',
  exporting: 'Esportazione…',
  exported: 'CSV esportato con successo',
  exportFailed: "Errore durante l'export",

  failed: 'Non riuscito',
  details: 'I dati grezzi',
} as const;
