/** Texts around every administrator page. */
export const commonTexts = {
  brand: 'La sorpresa',
  navigation: 'Menu',
  openNavigation: 'Apri il menu',
  skip: 'Vai al contenuto',
  back: 'Torna al pannello',
  close: 'Chiudi',
  cancel: 'Annulla',
  confirm: 'Conferma',
  retry: 'Riprova',
  loading: 'Caricamento…',
  /** Used if the server sent no sentence (spec 8). */
  loadFailed: 'Errore nel caricamento',
  saveStates: {
    saved: 'Salvato',
    /** Changed; saved after a pause in typing, or when the field is left. */
    pending: 'Si salva da solo',
    saving: 'Salvataggio…',
    unsaved: 'Non salvato',
    conflict: 'Modificato altrove',
  },
  signInAgain: {
    title: 'Sessione scaduta',
    hint: 'Accedi di nuovo: quello che hai scritto resta dov’è, e il salvataggio riparte da solo.',
  },
} as const;
