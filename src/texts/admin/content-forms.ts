/** The forms for what she reads: their fields, and the sentences of spec 5 and 8. */

export const videoButtonTexts = {
  field: 'Testo del pulsante',
  hint: 'Il pulsante con cui fa partire il video.',
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
  hint: 'Chiude la serata a tutto schermo, se non c’è un secondo viaggio. Una frase vuota non si vede.',
  saved: 'Frasi finali salvate con successo!',
  loadFailed: 'Impossibile caricare le frasi finali',
  saveFailed: 'Impossibile salvare le frasi',
} as const;

export const destinationTextsTexts = {
  titolo_destinazione: 'Titolo della destinazione',
  titolo_viaggio: 'Titolo del viaggio',
  durata: 'Durata dell’immagine (secondi)',
  durataHint: 'Da 1 a 30 secondi.',
  picture: 'L’immagine della destinazione',
  card: 'La carta del viaggio',
  previewOf: 'Cosa mostra l’anteprima',
  pictureShort: 'Immagine',
  cardShort: 'Carta',
  noPicture: 'Senza un’immagine della destinazione questo momento viene saltato.',
  blank: 'Compila entrambi i campi di testo',
  outOfRange: 'La durata deve essere tra 1 e 30 secondi',
  saved: 'Configurazione salvata con successo!',
  loadFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
} as const;

export const ticketInstructionTexts = {
  field: 'Istruzioni',
  hint: 'Le righe sotto il pulsante «Scarica i biglietti».',
  blank: 'Scrivi le istruzioni prima di salvare',
  preview: 'La carta del viaggio',
  saved: 'Testo salvato con successo!',
  missing: 'Configurazione non trovata',
  loadFailed: 'Errore nel caricamento',
  saveFailed: 'Errore nel salvataggio del testo',
} as const;
