import { ACCESS_CHART_DAYS } from '../../domain/limits.ts';

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
