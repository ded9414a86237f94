/** Texts of all administrator forms; those of single forms are in `content-forms.ts`. */
export const formTexts = {
  save: 'Salva',
  retry: 'Riprova',
  notSaved: 'Non salvato',
  /** The saved row no longer exists. */
  notFound: 'Configurazione non trovata',
  draft: {
    title: 'Prima di ricaricare la pagina c’era del testo non salvato.',
    restore: 'Ripristina il testo non salvato',
    discard: 'Scarta',
  },
  conflict: {
    title: 'Modificato in un’altra finestra',
    hint: 'Intanto qualcuno ha salvato un testo diverso. Scegli quale tenere: niente va perso finché non hai scelto.',
    mine: 'Il tuo testo',
    theirs: 'L’altro testo',
    keepMine: 'Tieni il mio testo',
    useTheirs: 'Usa l’altro',
    blank: '(vuoto)',
  },
  leave: {
    title: 'Modifiche non salvate',
    /** Shown if the user leaves during a save. */
    savingTitle: 'Salvataggio…',
    saving: 'Appena è salvato si esce da soli.',
    question: 'Quello che hai scritto non è ancora salvato: uscendo senza salvare va perso.',
    stay: 'Resta qui',
    leave: 'Esci senza salvare',
    saveAndLeave: 'Salva ed esci',
  },
  /** Shown near a field's limit. */
  count: (length: number, max: number) => `${length} / ${max}`,
} as const;
