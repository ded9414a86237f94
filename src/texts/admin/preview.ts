import type { Viaggio } from '../../domain/content.ts';
import type { Step } from '../../domain/itinerary.ts';

/** The configuration preview (spec 2 «Preview»). */
export const previewTexts = {
  loadFailed: 'Errore nel caricamento della configurazione',
  incomplete: 'Configurazione incompleta',
  incompleteHint: 'Prima che la sorpresa possa cominciare:',
  edit: 'Modifica',
  missing: { feminine: 'Non configurata', masculine: 'Non configurato' },
  groups: {
    story: 'Il racconto',
    first: 'Primo viaggio',
    second: 'Secondo viaggio',
    settings: 'Impostazioni',
  },
} as const;

/** Cards of the preview: title and action of each. */
export const previewCardTexts = {
  video: {
    title: 'Video principale',
    configure: 'Configura Video',
    speed: 'Velocità',
    button: 'Testo del pulsante',
    player: 'Il video principale',
  },
  prePhrases: { title: 'Frasi pre-video', add: 'Aggiungi Frasi' },
  postPhrases: { title: 'Frasi post-video', add: 'Aggiungi Frasi' },
  betweenPhrases: { title: 'Frasi tra i viaggi', add: 'Aggiungi Frasi' },
  secondPhrases: { title: 'Frasi del secondo viaggio', add: 'Aggiungi Frasi' },
  finalPhrases: { title: 'Frasi finali del secondo viaggio', add: 'Aggiungi Frasi' },
  closing: {
    title: 'Frasi finali',
    add: 'Aggiungi Frasi',
    both: {
      entrambi_si: 'Due Sì',
      entrambi_no: 'Due No',
      misto: 'Un Sì e un No',
    },
    skipped: 'Con un secondo viaggio queste frasi non si vedono.',
  },
  song: { title: 'Canzone', configure: 'Aggiungi Canzone', player: 'La canzone' },
  trip: {
    title: { 1: 'Dettagli viaggio', 2: 'Dettagli secondo viaggio' } satisfies Record<Viaggio, string>,
    departure: 'Data partenza',
    return: 'Data ritorno',
    tickets: 'Biglietti',
    openTickets: 'Visualizza biglietti',
    image: 'Immagine destinazione',
    imageAlt: 'L’immagine della destinazione',
    imageSeconds: 'Durata immagine',
    texts: 'Testi personalizzati',
    destinationTitle: 'Titolo destinazione',
    tripTitle: 'Titolo viaggio',
    instructions: 'Istruzioni biglietti',
    instructionText: 'Testo',
  },
  questions: {
    title: { 1: 'Domande', 2: 'Domande del secondo viaggio' } satisfies Record<Viaggio, string>,
    edit: 'Modifica Domande',
    none: 'Domande non configurate',
    first: 'Domanda 1',
    second: 'Domanda 2',
  },
  notifications: {
    title: 'Impostazioni notifiche',
    token: 'Chiave del bot',
    chat: 'Numero della chat',
    email: 'E-mail',
  },
  evening: {
    title: 'La serata',
    graduation: 'Data dell’occasione',
    opening: 'Apertura',
    contact: 'Contatto',
  },
  noSecondTrip: {
    title: 'Nessun secondo viaggio',
    hint: 'La serata finisce con le risposte del primo. Un altro si accende e si prepara in una pagina sola.',
    add: 'Aggiungi un secondo viaggio',
  },
} as const;

/** Formats a count, for example `3 frasi · 6 secondi ciascuna`. @param atLeast true if one of them stays longer */
export function phraseCount(count: number, seconds: number, atLeast: boolean): string {
  const each = `${atLeast ? 'almeno ' : ''}${secondsText(seconds)} ciascuna`;
  return `${phrasesText(count)} · ${each}`;
}

export const phrasesText = (count: number): string => (count === 1 ? '1 frase' : `${count} frasi`);

/** Counts blank phrases, which are stored but never shown. */
export function blankCount(count: number): string {
  return count === 1 ? '1 frase vuota non verrà mostrata' : `${count} frasi vuote non verranno mostrate`;
}

export function secondsText(seconds: number): string {
  return seconds === 1 ? '1 secondo' : `${String(seconds).replace('.', ',')} secondi`;
}

export function speedText(rate: number): string {
  return `${String(rate).replace('.', ',')}×`;
}

/** Pictures of the evening, stage by stage. */
export const filmStripTexts = {
  title: 'La serata, scena per scena',
  hint: 'Quello che si vedrà, nell’ordine in cui si vedrà. Scegli una scena per guardarla in grande.',
  strip: 'Le scene della serata',
  /** Optional parts without content, which have no scene. */
  notThere: (names: readonly string[]) => `Non si vede, e si può aggiungere se vuoi: ${names.join(', ')}.`,
  needsVideo: 'Senza video la serata non comincia: qui si vede il resto.',
  answers: 'Frase finale dopo',
  place: (index: number, total: number) => `${index + 1} di ${total}`,
} as const;

/** Returns the name of a stage. */
export function stageName({ stage, viaggio }: Step): string {
  switch (stage) {
    case 'pre_phrases':
      return 'Prima del video';
    case 'video':
      return 'Video';
    case 'between_phrases':
      return 'Tra i viaggi';
    case 'phrases':
      return viaggio === 1 ? 'Dopo il video' : 'Secondo viaggio';
    case 'destination':
      return viaggio === 1 ? 'Destinazione' : 'Seconda destinazione';
    case 'card':
      return viaggio === 1 ? 'Biglietti' : 'Secondi biglietti';
    case 'questions':
      return viaggio === 1 ? 'Domande' : 'Seconde domande';
    case 'closing':
      return 'Chiusura';
  }
}

/** Texts around and inside the phone preview. */
export const phoneTexts = {
  replay: 'Rivedi',
  /** Shown if the preview is small. */
  enlarge: 'Ingrandisci',
  /** Shown if the content exceeds the phone's screen. */
  scrollHint: 'Non sta tutto sullo schermo: scorrilo per vedere il resto, come si farà sul telefono vero.',
  scrollable: (label: string) => `${label}: schermo da scorrere`,
  /** Inside the phone, if there is no content to show. */
  noPhrases: 'Senza frasi questo momento viene saltato.',
  blankPhrase: 'Una frase vuota non si vede.',
} as const;
