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
