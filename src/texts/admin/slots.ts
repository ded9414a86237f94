import { MEDIA_BYTES } from '../../domain/limits.ts';
import type { SlotName } from '../../domain/media-slots.ts';
import { humanSize } from './amounts.ts';

/** Texts of a page about the files of one slot (spec 2, 5 and 8). */
export type SlotTexts = {
  /** Heading of the page section. */
  title: string;
  /** Accepted files and their maximum size. */
  hint: (maxBytes: number) => string;
  choose: string;
  drop: string;
  /** Request shown while no file is chosen (spec 5). */
  missing: string;
  uploaded: string;
  selected: string;
  removed: string;
  removeQuestion: string;
  /** Effect of deleting the active file on the evening. */
  removeActive: string;
  listTitle: string;
  empty: string;
  emptyHint: string;
  checking: string;
  loadFailed: string;
  /** Shown if the sign-in has ended and its dialog was closed. */
  signedOut: string;
};

const atMost = (kinds: string) => (maxBytes: number) => `${kinds}, al massimo ${humanSize(maxBytes)}`;
const SIGNED_OUT = 'Sessione scaduta. Accedi di nuovo.';

const image = {
  choose: 'Scegli un’immagine',
  drop: 'Trascina qui l’immagine, oppure sceglila',
  missing: "Seleziona un'immagine destinazione",
  selected: 'Immagine selezionata come attiva!',
  removed: 'Immagine eliminata',
  removeQuestion: 'Sei sicuro di voler eliminare questa immagine?',
  empty: 'Nessuna immagine',
  emptyHint: 'Carica la foto del posto dove andrete: si aprirà a tutto schermo.',
  checking: 'Controllo dell’immagine…',
  loadFailed: 'Errore nel caricamento',
  signedOut: SIGNED_OUT,
} as const;

const tickets = {
  choose: 'Scegli i biglietti',
  drop: 'Trascina qui i biglietti, oppure sceglili',
  missing: 'Seleziona un file biglietti (PDF o PNG)',
  selected: 'Biglietto selezionato come attivo!',
  removed: 'Biglietto eliminato',
  removeQuestion: 'Sei sicuro di voler eliminare questo biglietto?',
  empty: 'Nessun biglietto',
  emptyHint: 'Carica il PDF dei biglietti, oppure una loro foto: potrà scaricarli dalla carta d’imbarco.',
  checking: 'Controllo dei biglietti…',
  loadFailed: 'Errore nel caricamento',
  signedOut: SIGNED_OUT,
} as const;

export const slotTexts: Record<SlotName, SlotTexts> = {
  video: {
    title: 'Il video',
    hint: atMost('Qualunque video, come esce dal telefono o dal computer'),
    choose: 'Scegli un video',
    drop: 'Trascina qui il video, oppure sceglilo',
    missing: 'Seleziona un video',
    uploaded: 'Video caricato e salvato!',
    selected: 'Video selezionato come attivo!',
    removed: 'Video eliminato',
    removeQuestion: 'Sei sicuro di voler eliminare questo video?',
    removeActive:
      'È il video attivo: senza, la sorpresa non può cominciare finché non ne scegli o non ne carichi un altro.',
    listTitle: 'Video salvati',
    empty: 'Nessun video',
    emptyHint: 'Carica il primo: diventa subito quello della sorpresa.',
    checking: 'Preparo il video perché si veda su ogni telefono…',
    loadFailed: 'Errore nel caricamento dei video',
    signedOut: SIGNED_OUT,
  },
  immagine: {
    ...image,
    title: 'Immagine della destinazione',
    hint: atMost('Qualunque foto, come esce dal telefono o dal computer'),
    uploaded: 'Immagine caricata e salvata!',
    removeActive: 'È l’immagine attiva: senza, dopo le frasi si passa subito alla carta d’imbarco.',
    listTitle: 'Immagini salvate',
  },
  biglietti: {
    ...tickets,
    title: 'Biglietti',
    hint: atMost('PDF, oppure una foto dei biglietti'),
    uploaded: 'Biglietto caricato e salvato!',
    removeActive: 'È il biglietto attivo: senza, al posto di «Scarica i biglietti» ci sarà «Continua».',
    listTitle: 'Biglietti salvati',
  },
  immagine_2: {
    ...image,
    title: 'Immagine del secondo viaggio',
    hint: atMost('Qualunque foto, come esce dal telefono o dal computer'),
    uploaded: '✅ Immagine secondo viaggio caricata!',
    removeActive: 'È l’immagine attiva: senza, dopo le frasi si passa subito alla carta d’imbarco.',
    listTitle: 'Immagini salvate',
  },
  biglietti_2: {
    ...tickets,
    title: 'Biglietti del secondo viaggio',
    hint: atMost('PDF, oppure una foto dei biglietti'),
    uploaded: '✅ Biglietto secondo viaggio caricato!',
    removeActive: 'È il biglietto attivo: senza, al posto di «Scarica i biglietti» ci sarà «Continua».',
    listTitle: 'Biglietti salvati',
  },
  canzone: {
    title: 'La canzone',
    hint: () => `MP3, WAV, OGG (max ${MEDIA_BYTES.song / 1024 ** 2}MB)`,
    choose: 'Scegli una canzone',
    drop: 'Trascina qui la canzone, oppure sceglila',
    missing: 'Seleziona un file audio valido',
    uploaded: 'Canzone caricata con successo',
    selected: 'Canzone selezionata come attiva!',
    removed: 'Canzone eliminata',
    removeQuestion: 'Vuoi eliminare la canzone?',
    removeActive: 'La sorpresa continuerà senza musica.',
    listTitle: 'Canzone caricata',
    empty: 'Nessuna canzone',
    emptyHint: 'Carica un MP3: accompagnerà le frasi. Si può anche farne a meno.',
    checking: 'Preparo la canzone perché si senta su ogni telefono…',
    loadFailed: 'Errore nel caricamento',
    signedOut: 'Utente non autenticato',
  },
};
