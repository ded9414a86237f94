import { MEDIA_BYTES } from '../../domain/limits.ts';
import type { MediaKind, SlotName } from '../../domain/media-slots.ts';
import { dated } from '../dates.ts';
import { humanShare, humanSize, humanSpeed, humanTimeLeft } from './amounts.ts';

/** What a page says about the files of one slot (spec 2, 5 and 8). */
export type SlotTexts = {
  /** The heading of its part of a page. */
  title: string;
  /** What may be chosen, and how large. */
  hint: (maxBytes: number) => string;
  choose: string;
  drop: string;
  /** What is asked for while no file is chosen (spec 5). */
  missing: string;
  uploaded: string;
  selected: string;
  removed: string;
  removeQuestion: string;
  /** What deleting the active one means for her. */
  removeActive: string;
  listTitle: string;
  empty: string;
  emptyHint: string;
  checking: string;
  loadFailed: string;
  /** Where nobody is signed in any more and the dialog was closed. */
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
    removeActive: 'È il biglietto attivo: senza, al posto del download ci sarà «Continua».',
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
    removeActive: 'È il biglietto attivo: senza, al posto del download ci sarà «Continua».',
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

/** From here on `humanTimeLeft` rounds to minutes. */
const ROUGHLY_FROM_SECONDS = 30;

/** From ten minutes on one more or less says nothing (seconds). */
const FIVES = { from: 600, of: 300 } as const;
const rounded = (seconds: number) =>
  seconds < FIVES.from ? seconds : FIVES.of * Math.round(seconds / FIVES.of);

/** How a file that is too large becomes smaller. */
const SMALLER: Record<MediaKind, string> = {
  video:
    'Accorcialo o esportalo in 1080p: su iPhone e Android con «Modifica», su un computer con un programma di montaggio.',
  image: 'Riducila: sul telefono basta uno screenshot, su un computer un programma di foto.',
  tickets: 'Carica un PDF più leggero, oppure una foto o uno screenshot del biglietto.',
  song: 'Scegli un MP3 o un M4A, dall’app «File» del telefono o dal computer.',
};

/** While a file is on its way (decision 22). */
export const uploadTexts = {
  field: (title: string) => `File: ${title}`,
  startsAtOnce: (missing: string) => `${missing}: il caricamento parte da solo.`,
  tooLarge: (size: number, max: number, kind: MediaKind) =>
    `Il file è troppo grande: è di ${humanSize(size)} e può essere al massimo di ${humanSize(max)}. ${SMALLER[kind]}`,
  progressLabel: (nome: string) => `Caricamento di ${nome}`,
  workLabel: (nome: string) => `Preparazione di ${nome}`,
  sent: (sent: number, size: number) => `${humanSize(sent)} di ${humanSize(size)}`,
  speed: humanSpeed,
  share: humanShare,
  timeLeft: (seconds: number) => `ancora ${humanTimeLeft(seconds)}`,
  /** What the server makes of a file that has arrived. */
  readyIn: (seconds: number) =>
    `pronto fra ${seconds < ROUGHLY_FROM_SECONDS ? '' : 'circa '}${humanTimeLeft(rounded(seconds))}`,
  queued: 'In attesa: prima finisco un altro file.',
  aboutToBegin: 'Comincio fra poco.',
  mayClose: 'Puoi chiudere questa pagina: continuo io, e al ritorno lo trovi qui.',
  stopQuestion: 'Interrompere il lavoro su questo file?',
  stopConsequence: (nome: string) => `Se cambi idea, ${nome} va caricato di nuovo da capo.`,
  stopFailed: 'Non sono riuscito a interrompere: riprova.',
  keepOpen: 'Puoi visitare le altre pagine; tieni aperto il sito fino alla fine.',
  waiting: 'In attesa della rete: riprende da solo.',
  fileLost: 'Il file non si può più leggere: scegli di nuovo lo stesso file per continuare.',
  chooseAgain: 'Scegli di nuovo il file',
  cancel: 'Annulla',
  cancelQuestion: 'Interrompere il caricamento?',
  cancelConsequence: (nome: string, share: number) =>
    `Quello che è già arrivato di ${nome} (${humanShare(share)}) va perso.`,
  cancelConfirm: 'Interrompi',
  retry: 'Riprova',
  dismiss: 'Ho capito',
  dismissFailed: 'Non sono riuscito a togliere l’avviso: riprova.',
  refused: (nome: string) => `${nome} non è stato accettato`,
  halted: (nome: string) => `${nome}: il lavoro si è fermato`,
  againFailed: 'Non sono riuscito a ricominciare: riprova.',
  resume: (nome: string) => `Riprendi il caricamento di ${nome}: scegli di nuovo lo stesso file.`,
  resumeProgress: (share: number) => `Era arrivato al ${humanShare(share)}.`,
  otherFile: (nome: string) => `Questo file è un altro: per riprendere serve ${nome}.`,
  discard: 'Scarta',
  indicator: 'Caricamenti in corso',
  indicatorWaiting: (share: number) => `${humanShare(share)}, in attesa della rete`,
  indicatorStopped: 'Caricamento fermo',
  indicatorQueued: 'In attesa',
  indicatorWorking: (share: number) => `Preparo… ${humanShare(share)}`,
  indicatorRefused: 'Non è stato accettato',
} as const;

/** The saved files. */
export const savedTexts = {
  /** Beside the file in use; a picture and a song are feminine. */
  active: (slot: SlotName) => (/^(immagine|canzone)/.test(slot) ? 'Attiva' : 'Attivo'),
  choose: 'Usa',
  chooseOf: (nome: string) => `Usa ${nome}`,
  remove: 'Elimina',
  removeOf: (nome: string) => `Elimina ${nome}`,
  view: 'Visualizza File',
  viewOf: (nome: string) => `Visualizza File: ${nome} (si apre in un’altra scheda)`,
  uploadedOn: (moment: string) => `Caricato ${dated('il', moment)}`,
  uploadFailed: "Errore durante l'upload",
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
    TOO_QUIET: 'Il volume è molto basso: dal telefono si sentirà appena.',
    TOO_LOUD: 'Il volume è molto alto: potrebbe far sobbalzare chi ascolta.',
    QUIETER_THAN_FILM: 'Questa canzone è molto più bassa del video: dopo il video si sentirà appena.',
    LOUDER_THAN_FILM: 'Questa canzone è molto più alta del video: dopo il video potrebbe far sobbalzare.',
    CAPTIONS_AFTER_END:
      'I sottotitoli continuano dopo la fine del video: forse sono di un altro video, o di un montaggio diverso.',
  },
  /** The same of a song. */
  heavySong:
    'Questa canzone è pesante per una rete mobile: può farsi aspettare. Meglio un MP3 a 192 kbit al secondo.',
  playerOf: (nome: string) => `Video: ${nome}`,
} as const;

export const tripMediaTexts = {
  description: 'La foto del posto, i biglietti da scaricare e i giorni del viaggio',
  dates: 'Date del viaggio',
  departure: 'Data di partenza',
  return: 'Data di ritorno',
  datePlaceholder: '15 Dicembre 2024',
  datesHint: 'Testo libero, come vuoi che si legga. Senza una data si legge «Da definire».',
  datesSaved: 'Date salvate con successo!',
  destinationPreview: 'L’immagine della destinazione',
  cardPreview: 'La carta d’imbarco',
  noImage: 'Ancora nessuna immagine: questo momento viene saltato.',
} as const;

export const secondTripTexts = {
  description: 'Un secondo viaggio, con la sua immagine, i suoi biglietti e le sue parole',
  details: 'Titoli, date e istruzioni',
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
