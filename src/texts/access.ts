import { HOURS_AFTER_GRADUATION } from '../domain/limits.ts';
import { longDay, withArticle } from './dates.ts';

/** The access screen (spec 2 and 8). */
export const accessTexts = {
  title: 'Una Sorpresa per Te',
  prompt: 'Inserisci il codice speciale che hai ricevuto',
  placeholder: 'Il tuo codice',
  submit: 'Scopri la Sorpresa',
  submitting: 'Verifica in corso...',
  /** Shown while the code is in the queue of its network. */
  waiting: 'Un momento…',
  empty: 'Inserisci il tuo codice',
  /** The server replied, but the code was not checked. */
  notChecked: 'Errore durante la verifica',
  /** Shown after the page reloaded because of an update. */
  reloaded: 'La pagina si è aggiornata. Il codice c’è ancora: tocca di nuovo.',
  unexpected: 'Si è verificato un errore',
  welcomeBack: 'Eccoti di nuovo! Riprendi da dove eri.',
  resume: 'Riprendi',
  or: 'oppure',
  /** Shown only on a device whose keepsake is available. */
  keepsake: 'Tieni questa sera con te',
  /** Below the envelope that closes an evening: returns to the form. */
  haveCode: 'Ho un codice',
  /** Shown if the administrator has written a privacy notice. */
  privacy: 'Informativa',
} as const;

/** Facts for the footer: the graduation day (`YYYY-MM-DD` or null), whether the site has closed after it, and the text that replaces it. */
export type Footer = { data_laurea: string | null; closed: boolean; footer_text: string | null };

/** The confidentiality footer (spec 1 and 2), or the administrator's own text; '' for none. */
export function footerSentence({ data_laurea, closed, footer_text }: Footer): string {
  if (closed && footer_text !== null) return 'La sorpresa si è conclusa. Grazie della visita.';
  if (closed)
    return `La sorpresa si è conclusa: il sito è rimasto aperto fino a ${HOURS_AFTER_GRADUATION} ore dopo la laurea. Grazie della visita.`;
  if (footer_text !== null) return footer_text;
  const graduation =
    data_laurea === null ? 'la data di laurea' : `la laurea ${withArticle('del', longDay(data_laurea))}`;
  return `Il contenuto di questo sito è riservato. Resterà disponibile fino a ${HOURS_AFTER_GRADUATION} ore dopo ${graduation}.`;
}

/** Error pages (spec 2). The two English sentences are the specification's. */
export const pageTexts = {
  notFound: 'Oops! Page not found',
  notFoundHint: 'Questa pagina non esiste, o non esiste più.',
  backHome: 'Torna alla pagina iniziale',
  backToDashboard: 'Torna al pannello',
  unexpectedError: 'Unexpected Application Error!',
  unexpectedErrorHint: 'Qualcosa non ha funzionato. Quello che hai già fatto non è andato perso.',
  retry: 'Riprova',
  /** Names the toast area to screen readers. */
  toasts: 'Notifiche',
} as const;

/** Shown instead of a page that the phone's browser can't run. */
export const tooOldPhone = 'Questo telefono è troppo vecchio per la sorpresa: prova con un altro.';
