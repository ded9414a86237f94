import { IMAGE_SECONDS } from '../../domain/limits.ts';

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

/** Texts of all administrator forms; those of single forms are below. */
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

/** Forms of the texts that the visitor reads, with the sentences of spec 5 and 8. */

export const videoButtonTexts = {
  field: 'Testo del pulsante',
  hint: 'Sta al centro dello schermo, sopra la copertina del video.',
  preview: 'Prima del video',
  blank: 'Il testo del pulsante non può essere vuoto',
  saved: 'Testo del pulsante salvato!',
  loadFailed: 'Errore nel caricamento',
  saveFailed: 'Errore nel salvataggio',
} as const;

export const finalPhrasesTexts = {
  fields: {
    entrambi_si: 'Se risponde due volte sì',
    entrambi_no: 'Se risponde due volte no',
    misto: 'Se risponde un sì e un no',
  },
  hint: 'Chiudono la serata a tutto schermo: se ne vede una, secondo le risposte. Una frase vuota non si vede.',
  unseen: {
    title: 'Con il secondo viaggio non si vedono',
    hint: 'La serata si chiude con le frasi finali del secondo viaggio: quelle di questa pagina restano salvate.',
  },
  saved: 'Frasi finali salvate con successo!',
  loadFailed: 'Impossibile caricare le frasi finali',
  saveFailed: 'Impossibile salvare le frasi',
} as const;

export const destinationTextsTexts = {
  titolo_destinazione: 'Titolo della destinazione',
  titolo_viaggio: 'Titolo del viaggio',
  durata: 'Durata dell’immagine (secondi)',
  durataHint: `Da ${IMAGE_SECONDS.min} a ${IMAGE_SECONDS.max} secondi.`,
  blank: 'Compila entrambi i campi di testo',
  outOfRange: `La durata deve essere tra ${IMAGE_SECONDS.min} e ${IMAGE_SECONDS.max} secondi`,
  saved: 'Configurazione salvata con successo!',
  loadFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
} as const;

export const ticketInstructionTexts = {
  field: 'Istruzioni',
  hint: 'Anche su più righe.',
  blank: 'Scrivi le istruzioni prima di salvare',
  saved: 'Testo salvato con successo!',
  loadFailed: 'Errore nel caricamento',
  saveFailed: 'Errore nel salvataggio del testo',
} as const;

/** The switch of the second trip, with its effect in each state. */
export const secondTripSwitchTexts = {
  label: 'C’è un secondo viaggio',
  on: 'Comincia dopo le risposte del primo. Le frasi finali del primo viaggio non si vedono: la serata si chiude con quelle del secondo.',
  off: 'La serata finisce con il primo viaggio. Quello che hai preparato non si cancella: riaccendilo e torna tutto com’era.',
  unset:
    'Per ora la serata finisce con il primo viaggio. Il secondo si accende da qui, o da solo appena ha una frase, un’immagine o i biglietti.',
  parts: 'Le parti del secondo viaggio, nell’ordine in cui si vedono',
} as const;

/** Shown on the pages of a second trip that there isn't, above a link to its switch. */
export const secondTripUnseenTexts = {
  title: 'Per ora non si vede',
  hint: 'Il secondo viaggio è spento: quello che scrivi qui resta salvato, ma non lo vede nessuno finché non lo riaccendi.',
  /** While nobody has used the switch. */
  unset:
    'Il secondo viaggio si vede appena ha una frase, un’immagine o i biglietti, o quando lo accendi. Fino ad allora quello che scrivi qui resta salvato, ma non lo vede nessuno.',
} as const;
