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
