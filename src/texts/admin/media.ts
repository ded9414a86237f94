import type { TripDays } from '../../domain/days.ts';
import type { CaptionMode, LightState, SlotName } from '../../domain/media.ts';
import { weekdayAndDay, withArticle } from '../dates.ts';
import { humanSize } from './formats.ts';

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

/** Poster: the picture that the visitor sees before the video starts. */
export const posterTexts = {
  takeFrame: 'Usa questo fotogramma come copertina',
  saved: 'Copertina salvata',
  failed: 'Non sono riuscito a salvare la copertina: riprova.',
  missing:
    'Senza copertina: prima del video si vedrà uno sfondo scuro. Ferma il video dove vuoi e usa quel fotogramma.',
} as const;

export const videoPageTexts = {
  description: 'Il video della sorpresa, e la sua velocità',
  speed: 'Velocità di riproduzione',
  speedHint: 'Chi guarda non può cambiarla.',
  speedOf: (rate: number) => `${rate.toLocaleString('it-IT')}×`,
  speedNormal: '1× (normale)',
  speedSaved: 'Velocità video salvata!',
  speedFailed: 'Errore durante il salvataggio',
  preview: 'Così comincia il video',
} as const;

const SHORT: Record<CaptionMode, string> = {
  device: 'per chi li ha attivi',
  always: 'sempre',
  never: 'spenti',
};

/** Captions of a film: uploading, typing, preview over the film. */
export const captionsTexts = {
  add: 'Aggiungi i sottotitoli',
  addTo: (nome: string) => `Aggiungi i sottotitoli a ${nome}`,
  open: (mode: CaptionMode) => `Sottotitoli: ${SHORT[mode]}`,
  openOf: (mode: CaptionMode, nome: string) => `Sottotitoli: ${SHORT[mode]} (${nome})`,
  title: 'I sottotitoli del video',
  player: (nome: string) => `${nome} con i sottotitoli`,
  shown: 'A chi si vedono',
  modes: {
    device: 'A chi li ha attivi nel telefono',
    always: 'Sempre, a chiunque',
    never: 'A nessuno, per ora',
  } satisfies Record<CaptionMode, string>,
  modesHint: 'Nel telefono si attivano tra le impostazioni di accessibilità.',
  text: 'Testo dei sottotitoli',
  hint: 'Scegli un file .srt o .vtt, oppure scrivi: una riga con l’inizio e la fine, sotto le parole, e una riga vuota tra uno e l’altro. Conta soltanto il testo: colori e posizioni del file non servono.',
  placeholder:
    '00:00:01 --> 00:00:04\nTi ricordi quella sera?\n\n00:00:05 --> 00:00:08\nPioveva, e tu ridevi.',
  file: 'Scegli un file',
  fileLabel: 'File dei sottotitoli',
  fileFailed: 'Questo file non si può leggere: scaricalo di nuovo e riprova.',
  now: 'Inserisci il tempo attuale',
  download: 'Scarica',
  downloadName: 'sottotitoli.vtt',
  remove: 'Elimina',
  removeOf: (nome: string) => `Elimina i sottotitoli di ${nome}`,
  removeQuestion: 'Sei sicuro di voler eliminare i sottotitoli?',
  removed: 'Sottotitoli eliminati',
  removeFailed: 'Non sono riuscito a eliminare i sottotitoli: riprova.',
  save: 'Salva',
  saved: 'Sottotitoli salvati',
  failed: 'Non sono riuscito a salvare i sottotitoli: riprova.',
  loadFailed: 'Non sono riuscito a leggere i sottotitoli.',
  close: 'Chiudi',
  closeQuestion: 'Chiudere senza salvare?',
  closeDetail: 'Quello che hai cambiato nei sottotitoli va perso.',
  closeConfirm: 'Chiudi senza salvare',
} as const;

/** Seconds from which minutes are shown. */
const MINUTES_FROM_SECONDS = 90;

const starts = (seconds: number) =>
  seconds < MINUTES_FROM_SECONDS ? `parte in ${seconds} s` : `parte in ${Math.ceil(seconds / 60)} minuti`;

const STATES: Record<LightState, string> = {
  waiting: 'La sto preparando, quando nessun caricamento aspetta.',
  again: 'La preparo di nuovo, perché il video è cambiato.',
  made: 'Su una rete lenta si vede questa, così il video non si ferma.',
  needless: 'Questo video è già leggero.',
  refused: 'Da questo video non si può fare: si vede sempre il video intero.',
  failed: 'Non sono riuscito a prepararla: riprovo al prossimo avvio.',
};

/** Light version of a film (decision 011). */
export const lightTexts = {
  title: 'Versione leggera',
  titleOf: (nome: string) => `Versione leggera: ${nome}`,
  /**
   * @param size in bytes
   * @param seconds time until it starts on 4G
   */
  whole: (size: number, seconds: number) => `Video intero: ${figures(size, seconds)}`,
  light: (size: number, seconds: number) => `Video leggero: ${figures(size, seconds)}`,
  states: STATES,
  off: 'Spenta: si vede sempre il video intero, anche su una rete lenta.',
  changeFailed: 'Non sono riuscito a cambiare la versione leggera: riprova.',
} as const;

function figures(size: number, seconds: number): string {
  return `${humanSize(size)}, con il 4G ${starts(seconds)}`;
}

/** Point of a destination's picture that stays visible on every screen. */
export const focusTexts = {
  open: 'Scegli il punto da tenere in vista',
  openOf: (nome: string) => `Scegli il punto da tenere in vista di ${nome}`,
  title: 'Il punto da tenere in vista',
  hint: 'Tocca l’immagine nel punto che conta: resterà in vista su ogni schermo. Da tastiera si sposta con le frecce.',
  point: 'Punto da tenere in vista',
  /** Position for screen readers, in percent. */
  place: (across: number, down: number) => `${across}% da sinistra, ${down}% dall’alto`,
  middle: 'Al centro',
  previews: 'Come si vedrà',
  screens: { upright: 'Telefono', lying: 'Telefono in orizzontale', computer: 'Computer' },
  save: 'Salva',
  cancel: 'Annulla',
  saved: 'Punto salvato',
  failed: 'Non sono riuscito a salvare il punto: riprova.',
} as const;
