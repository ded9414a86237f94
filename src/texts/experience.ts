import type { ErrorCode } from '../contract/errors.ts';

/** Texts of the evening (spec 2, 4, 8). */
export const experienceTexts = {
  loading: 'Un attimo…',
  preparingVideo: 'Sto preparando il video…',
  turnPhone: 'Se giri il telefono, si vede più grande',
  tapToContinue: 'Tocca per continuare',
  retry: 'Riprova',
  offline: 'Connessione persa. Riconnessione in corso…',
  departure: 'Partenza',
  return: 'Ritorno',
  dayTrip: 'Partenza e ritorno',
  passenger: 'A nome di',
  download: 'Scarica i biglietti',
  share: 'Salva o condividi',
  view: 'Guarda i biglietti',
  continue: 'Continua',
  closeTickets: 'Chiudi',
  tickets: 'Biglietti',
  ticketPage: (page: number) => `Biglietti, pagina ${page}`,
  openingTickets: 'Apro i biglietti…',
  ticketsUndrawn: 'Qui i biglietti non si possono ancora guardare: scaricali per vederli.',
  boardingPass: 'Carta d’imbarco',
  question: (number: 1 | 2) => `Domanda ${number} di 2`,
  callByName: (name: string) => `${name},`,
  yes: 'Sì',
  no: 'No',
  sendingAnswers: 'Invio le risposte…',
  answersKept: 'Le tue risposte sono salvate e verranno inviate appena torna la rete.',
  downloadStarted: 'Download avviato!',
  downloadFailed: 'Errore durante il download',
  answersFailed: "Errore nell'invio delle risposte",
  answersSent: 'Le risposte sono state inviate.',
  answersSentBothYes: 'Ti amo...Le risposte sono state inviate.',
  configurationFailed: 'Errore nel caricamento della configurazione',
  videoFailed: 'Errore caricamento video',
  videoNotStarted: 'Impossibile avviare il video',
  disconnected: "Sei stato disconnesso dall'amministratore",
  contact: (name: string) => `Contatta ${name} per maggiori informazioni`,
  /** Used if the administrator has set no contact. */
  noContact: 'Contatta l’amministratore per maggiori informazioni',
} as const;

/** Refusals whose sentences the evening needs without a reply of the server (spec 8). The others aren't loaded on a phone. */
export const eveningErrorSentences = {
  NO_VISIT: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  CONFIG_MISSING: "Configurazione non trovata - Contatta l'amministratore",
  VIDEO_MISSING: "Video non ancora configurato dall'amministratore",
} satisfies Partial<Record<ErrorCode, string>>;

/** Messages to the administrator about an error that the visitor saw (spec 7 and 8). */
export const reportedErrors: Record<'video' | 'video_start' | 'loading' | 'download', string> = {
  video: experienceTexts.videoFailed,
  video_start: experienceTexts.videoNotStarted,
  loading: experienceTexts.configurationFailed,
  download: experienceTexts.downloadFailed,
};
