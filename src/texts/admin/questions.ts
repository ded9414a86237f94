import type { Viaggio } from '../../domain/content.ts';

/** The questions of both trips and the received answers (spec 2, 5, 8). */
export const questionsTexts = {
  fields: {
    prima: 'Prima domanda',
    seconda: 'Seconda domanda',
  },
  placeholders: {
    prima: 'Per esempio: Partiamo insieme?',
    seconda: 'Per esempio: Cena sul mare?',
  },
  hint: {
    1: 'Due domande a cui si risponde Sì o No, subito dopo i biglietti. Se non c’è un secondo viaggio, le risposte scelgono la frase finale.',
    2: 'Due domande a cui si risponde Sì o No, dopo i biglietti del secondo viaggio.',
  } satisfies Record<Viaggio, string>,
  /** No rule prevents this (spec 5), but incomplete questions are never asked. */
  secondNeedsBoth: 'Con una sola domanda scritta il secondo viaggio si chiude senza domande.',
  /** Reason why saving is disabled (spec 5: save disabled when either is empty). */
  required: 'Scrivi tutte e due le domande per salvare.',
  preview: 'Le domande',
  saved: {
    1: 'Domande salvate!',
    2: 'Domande salvate con successo',
  } satisfies Record<Viaggio, string>,
  loadFailed: 'Errore nel caricamento delle domande',
  saveFailed: 'Errore nel salvataggio delle domande',
  previewEmpty: 'Scrivi le due domande per vederle qui.',
} as const;

/** Replies from a keepsake. */
export const repliesTexts = {
  title: 'Ti ha scritto',
  loadFailed: 'Errore nel caricamento',
} as const;

export const answersTexts = {
  title: 'Risposte ricevute',
  hint: 'Arrivano qui da sole, appena vengono date. Nessuno le può cambiare, neanche da questa pagina. Le domande sono quelle che si leggevano quella sera.',
  emptyTitle: 'Ancora nessuna risposta',
  emptyHint: 'Compariranno qui nel momento in cui vengono date.',
  loadFailed: 'Errore nel caricamento',
  trips: { 1: 'Primo viaggio', 2: 'Secondo viaggio' } satisfies Record<Viaggio, string>,
  code: 'Codice',
  deletedCode: 'codice eliminato',
  /** Used if the question can't be read any more. */
  noQuestion: { 1: 'Prima domanda', 2: 'Seconda domanda' },
  yes: 'Sì',
  no: 'No',

  /** CSV file for a spreadsheet in Italian. */
  exportExcel: 'CSV per Excel',
  exported: 'CSV esportato con successo',
  fileName: (day: string) => `risposte_${day}_excel.csv`,
  columns: [
    'Data/Ora',
    'Viaggio',
    'Nome',
    'Codice',
    'Prima domanda',
    'Prima risposta',
    'Seconda domanda',
    'Seconda risposta',
  ],
} as const;
