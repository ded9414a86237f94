import type { Viaggio } from '../domain/content.ts';
import { longDay, withArticle } from './dates.ts';
import { experienceTexts } from './experience.ts';

const { departure, return: back, dayTrip, download, view, retry, yes, no } = experienceTexts;

/** The keepsake, `/ricordo`: a finished evening, shown again. */
export const keepsakeTexts = {
  name: 'La tua serata',
  title: (nome: string | null) => (nome === null ? 'Questa sera è tua' : `${nome}, questa sera è tua`),
  until: (day: string) => `Resta qui fino ${withArticle('al', longDay(day))}, solo su questo dispositivo.`,
  opening: 'Un attimo…',
  ask: 'Rivedi la tua serata',
  prompt: 'Riscrivi il codice con cui l’hai aperta',
  submit: 'Apri',
  submitting: 'Verifica in corso...',
  unavailable: 'Qui adesso non c’è niente da vedere.',
  home: 'Torna all’inizio',
  retry,
  film: 'Il film',
  departure,
  return: back,
  dayTrip,
  download,
  view,
  calendar: 'Metti il viaggio nel calendario',
  yes,
  no,
  reply: {
    title: 'Due righe',
    label: 'Vuoi scrivere qualcosa a chi ha preparato questa sera?',
    send: 'Invia',
    change: 'Cambia',
    sending: 'Invio…',
    sent: (day: string) =>
      `Le tue parole sono arrivate. Puoi cambiarle fino ${withArticle('al', longDay(day))}.`,
    deleted: 'Le tue parole non ci sono più.',
  },
} as const;

/** Texts around an evening of Piano B (decision 077). The evening itself has its own texts. */
export const planBTexts = {
  footer: 'Questa sera non ha bisogno della rete: è tutta qui, chiusa a chiave dal tuo codice.',

  stillReading: 'Un momento: la pagina si sta ancora aprendo. Riprova tra poco.',
  wrongCode: 'Codice non valido',
  notWhole: 'Questo file non è arrivato intero: fattelo mandare di nuovo.',
  damaged:
    'Non si è aperto: forse il file è rovinato, o questo dispositivo ha poca memoria. Ricarica la pagina e riprova.',
  noEngine: 'Questo browser non può aprirlo. Prova con un altro, o con un computer.',

  endTitle: 'La serata è finita',
  brokenTitle: 'La serata si è interrotta',
  brokenHint: 'Ricaricando la pagina e scrivendo di nuovo il codice, ricomincia dall’inizio.',
  answersHere:
    'Le tue risposte sono rimaste su questo dispositivo. Mandale a chi ti ha preparato la sorpresa: le aspetta.',
  /** Heads each trip's answers in the message, if there are two trips. */
  trip: (viaggio: Viaggio) => (viaggio === 1 ? 'Primo viaggio' : 'Secondo viaggio'),
  message: 'Le mie risposte',
  share: 'Manda le risposte',
  copy: 'Copia le risposte',
  copied: 'Copiate.',
  copyFailed: 'Non sono riuscito a copiarle: selezionale qui sopra e copiale a mano.',
  again: 'Rivedi dall’inizio',
} as const;
