import { IMAGE_SECONDS } from '../../domain/limits.ts';

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
