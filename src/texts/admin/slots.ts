import { MEDIA_BYTES } from '../../domain/limits.ts';
import type { SlotName } from '../../domain/media.ts';
import { humanSize } from './formats.ts';

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

/** Start second of the song. */
export const songStartTexts = {
  title: 'Da dove parte',
  startsAt: (seconds: number) => `Parte da ${minutesAndSeconds(seconds)}`,
  startsAtBeginning: 'Parte dall’inizio',
  place: 'Punto della canzone',
  placeAt: (seconds: number, duration: number) =>
    `${minutesAndSeconds(seconds)} di ${minutesAndSeconds(duration)}`,
  here: (seconds: number) => `Parti da qui (${minutesAndSeconds(seconds)})`,
  earlier: '−1 s',
  earlierLabel: '−1 s: un secondo prima',
  later: '+1 s',
  laterLabel: '+1 s: un secondo dopo',
  beginning: 'Dall’inizio',
  saved: 'Inizio della canzone salvato!',
  failed: 'Errore durante il salvataggio',
} as const;

/** Formats seconds as m:ss, like players. */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

const REMEDY = 'stampa il biglietto in un nuovo PDF, oppure caricane una foto';
const pagesAre = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'Pagina' : 'Pagine'} ${new Intl.ListFormat('it').format(numbers.map(String))}`;

/** Pages of a PDF as the evening shows them. */
export const ticketPageTexts = {
  page: (number: number) => `Pagina ${number}, come si vedrà (si apre in un’altra scheda)`,
  undrawable: `Le pagine di questo file non si possono mostrare nella serata: ${REMEDY}.`,
  unreadable: (numbers: readonly number[]) =>
    `${pagesAre(numbers)}: qualcosa non si vede. Guarda qui come apparirà: se manca qualcosa, ${REMEDY}.`,
  missingFont: (numbers: readonly number[]) =>
    `${pagesAre(numbers)}: nel file manca un carattere, e se ne usa un altro. Guarda qui come apparirà: se non va bene, ${REMEDY}.`,
} as const;

/** Joining several tickets of a trip into one PDF. */
export const joinTexts = {
  /** Name of the new file in the list. */
  fileName: 'biglietti uniti.pdf',
  open: 'Unisci in un solo PDF',
  explained:
    'Scegli quali biglietti unire e in che ordine. Il PDF unito diventa quello attivo; gli altri restano nell’elenco.',
  list: 'Biglietti da unire',
  up: (nome: string) => `Sposta su ${nome}`,
  down: (nome: string) => `Sposta giù ${nome}`,
  tooFew: (min: number) => `Scegline almeno ${min}.`,
  tooMany: (max: number) => `Se ne possono unire al massimo ${max} alla volta.`,
  tooHeavy: (maxBytes: number) =>
    `Insieme superano ${humanSize(maxBytes)}, che il suo telefono aprirebbe a fatica: uniscine di meno.`,
  confirm: 'Unisci',
  working: 'Unisco i biglietti…',
  saved: 'Biglietti uniti in un solo PDF!',
  joinFailed: 'Non sono riuscito a unire i biglietti: riprova.',
} as const;
