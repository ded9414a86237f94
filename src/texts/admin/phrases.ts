/** The lists of phrases (spec 2, 5 and 8). */
export const phraseListTexts = {
  tabs: { frasi_pre_video: 'Frasi Pre-Video', frasi: 'Frasi Post-Video' },
  previews: { frasi_pre_video: 'Prima del video', frasi: 'Dopo il video' },
  seconds: 'Durata di ogni frase (secondi)',
  secondsHint: 'Da 3 a 15 secondi; consigliati 5-8.',
  add: 'Nuova frase',
  addHint: 'Invio la aggiunge; si salva da sola.',
  addButton: 'Aggiungi',
  blank: 'Inserisci una frase',
  full: (max: number) => `Puoi salvare al massimo ${max} frasi.`,
  empty: {
    title: 'Ancora nessuna frase',
    hint: 'Scrivi la prima qui sopra: senza frasi questo momento viene saltato.',
  },
  list: (tab: string) => `${tab}, in ordine`,
  notSaved: 'Non salvata',
  lostEdit:
    'La frase che stavi modificando non c’è più: è stata cambiata o tolta altrove. Con «Conferma» il tuo testo diventa una frase nuova.',
  orderHint: 'Trascina la maniglia per cambiare l’ordine, oppure usa le frecce.',
  added: 'Frase aggiunta e salvata',
  removed: 'Frase rimossa',
  reordered: 'Ordine salvato',
  secondsSaved: 'Durata salvata',
  edited: 'Frase modificata e salvata',
  undo: 'Annulla',
  undone: 'Frase ripristinata',
  saveFailed: 'Errore nel salvataggio automatico',
  loadFailed: 'Errore nel caricamento',
  actions: {
    drag: (text: string) => `Trascina: ${text}`,
    up: (text: string) => `Sposta su: ${text}`,
    down: (text: string) => `Sposta giù: ${text}`,
    edit: (text: string) => `Modifica: ${text}`,
    remove: (text: string) => `Elimina: ${text}`,
    editing: 'Modifica la frase',
    confirm: 'Conferma',
    cancel: 'Annulla',
  },
  /** Read aloud while a phrase is moved. */
  spoken: {
    howTo:
      'Premi la barra spaziatrice per sollevare la frase, le frecce per spostarla, di nuovo la barra per posarla, Esc per rinunciare.',
    lifted: (position: number, total: number) => `Frase sollevata: posizione ${position} di ${total}.`,
    moved: (position: number, total: number) => `Ora in posizione ${position} di ${total}.`,
    outside: 'Fuori dalla lista.',
    dropped: (from: number, to: number) => `Frase posata: dalla posizione ${from} alla ${to}.`,
    cancelled: (position: number) => `Spostamento annullato: la frase è di nuovo in posizione ${position}.`,
  },
} as const;

/** The lists that are saved by a button. */
export const phraseBoxTexts = {
  item: (position: number) => `Frase ${position}`,
  add: 'Aggiungi Frase',
  remove: (position: number) => `Elimina la frase ${position}`,
  removed: 'Frase tolta dall’elenco',
  undo: 'Annulla',
  empty: {
    title: 'Ancora nessuna frase',
    hint: 'Aggiungi la prima: senza frasi questo momento viene saltato.',
  },
  blankHint: 'Le frasi vuote si possono salvare, ma non si vedono: vengono saltate.',
  full: (max: number) => `Puoi salvare al massimo ${max} frasi.`,
} as const;

/** In-between phrases: after the first trip's questions, before the second trip. */
export const intermediatePhrasesTexts = {
  list: 'Frasi tra i viaggi',
  preview: 'Tra i due viaggi',
  saved: 'Frasi salvate con successo!',
  loadFailed: 'Errore nel caricamento delle frasi',
  saveFailed: 'Errore nel salvataggio delle frasi',
} as const;

export const secondTripPhrasesTexts = {
  list: 'Frasi del secondo viaggio',
  preview: 'All’inizio del secondo viaggio',
  titles: { saved: 'Successo', failed: 'Errore' },
  saved: 'Frasi del secondo viaggio salvate con successo',
  loadFailed: 'Impossibile caricare le frasi del secondo viaggio',
  saveFailed: 'Impossibile salvare le frasi',
} as const;

/** Shown after the second trip, before returning home. */
export const secondTripFinalPhrasesTexts = {
  list: 'Frasi finali del secondo viaggio',
  preview: 'Alla fine di tutto',
  saved: 'Frasi finali salvate con successo',
  loadFailed: 'Impossibile caricare le frasi finali',
  saveFailed: 'Impossibile salvare le frasi',
} as const;
