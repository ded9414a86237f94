import type { SlotName } from '../../domain/media-slots.ts';
import type { TripDays } from '../../domain/trip-dates.ts';
import { weekdayAndDay, withArticle } from '../dates.ts';

const isFeminine = (slot: SlotName) => /^(immagine|canzone)/.test(slot);

/** The list of saved files. */
export const savedTexts = {
  /** Marks the file in use; a picture and a song are feminine. */
  active: (slot: SlotName) => (isFeminine(slot) ? 'Attiva' : 'Attivo'),
  choose: 'Usa',
  chooseOf: (nome: string) => `Usa ${nome}`,
  remove: 'Elimina',
  removeOf: (nome: string) => `Elimina ${nome}`,
  view: 'Visualizza File',
  viewOf: (nome: string) => `Visualizza File: ${nome} (si apre in un’altra scheda)`,
  uploadedOn: (slot: SlotName, moment: string) =>
    `Caricat${isFeminine(slot) ? 'a' : 'o'} ${withArticle('il', moment)}`,
  uploadFailed: "Errore durante l'upload",
  proxyLimit:
    'Il proxy davanti al sito rifiuta richieste di 256 kB: alza il suo limite (in nginx: client_max_body_size 6m) e riprova.',
  selectFailed: 'Errore durante la selezione',
  removeFailed: "Errore durante l'eliminazione",
  configFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
  listUnavailable: 'Elenco non disponibile',
  warnings: {
    NO_SOUND: 'Questo video non ha audio: durante la riproduzione ci sarà silenzio.',
    HEAVY:
      'Questo video è pesante per una rete mobile: l’inizio può farsi aspettare. Meglio esportarlo a 1080p con qualità media.',
    NOT_ON_OLD_IPHONES: 'Su iPhone meno recenti questo formato può non suonare: un MP3 suona ovunque.',
    TOO_QUIET:
      'Il volume è molto basso e dal telefono si sentirà appena: alzalo nel programma con cui hai preparato il file, esporta e carica di nuovo.',
    TOO_LOUD:
      'Il volume è molto alto e potrebbe far sobbalzare chi ascolta: abbassalo nel programma con cui hai preparato il file, esporta e carica di nuovo.',
    QUIETER_THAN_FILM:
      'Questa canzone è molto più bassa del video e dopo il video si sentirà appena: alzane il volume con un programma audio, esporta e carica di nuovo.',
    LOUDER_THAN_FILM:
      'Questa canzone è molto più alta del video e dopo il video potrebbe far sobbalzare: abbassane il volume con un programma audio, esporta e carica di nuovo.',
    CAPTIONS_AFTER_END:
      'I sottotitoli continuano dopo la fine del video: forse sono di un altro video, o di un montaggio diverso.',
  },
  /** Same warning for a song. */
  heavySong:
    'Questa canzone è pesante per una rete mobile: può farsi aspettare. Meglio un MP3 a 192 kbit al secondo.',
  playerOf: (nome: string) => `Video: ${nome}`,
} as const;

export const tripMediaTexts = {
  places: { picture: 'Immagine', tickets: 'Biglietti', details: 'Titoli, date e istruzioni' },
  dates: 'Date del viaggio',
  departure: 'Data di partenza',
  return: 'Data di ritorno',
  datePlaceholder: '15 Dicembre 2024',
  calendar: ({ first, last }: TripDays) =>
    `Nel calendario: ${weekdayAndDay(first)}${last === first ? '' : ` – ${weekdayAndDay(last)}`}`,
  noCalendar:
    'Non riconosco una data, quindi nel calendario non ci sarà niente. Scrivila per esempio così: 15 dicembre 2027.',
  datesHint: 'Scrivile come vuoi che si leggano. Dove manca una data si legge «Da definire».',
  datesSaved: 'Date salvate con successo!',
  destinationPreview: 'L’immagine della destinazione',
  cardPreview: 'La carta d’imbarco',
  noImage: 'Ancora nessuna immagine: questo momento viene saltato.',
} as const;

export const secondTripTexts = {
  titolo_destinazione_2: 'Titolo seconda destinazione',
  titolo_viaggio_2: 'Titolo secondo viaggio',
  testo_istruzioni_biglietti_2: 'Testo istruzioni biglietti',
  saved: 'Dettagli secondo viaggio salvati con successo',
  loadFailed: 'Impossibile caricare la configurazione',
  saveFailed: 'Impossibile salvare i dettagli',
} as const;

export const songPageTexts = {
  description: 'Una canzone che accompagna le frasi, l’immagine e la carta d’imbarco',
  noteTitle: 'Come funziona',
  note: [
    'La canzone parte da sola alla fine del video.',
    'Sfuma quando vengono inviate le risposte.',
    'È facoltativa: senza, la sorpresa funziona lo stesso.',
  ],
  play: 'Riproduci',
  pause: 'Pausa',
  states: { stopped: 'Ferma', playing: 'In riproduzione', paused: 'In pausa' },
  playFailed: 'Impossibile riprodurre la canzone',
} as const;
