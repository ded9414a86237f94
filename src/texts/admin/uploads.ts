import type { MediaKind } from '../../domain/media.ts';
import { withArticle } from '../dates.ts';
import { humanShare, humanSize, humanSpeed, humanTimeLeft } from './formats.ts';

/** Seconds from which `humanTimeLeft` rounds to minutes. */
const ROUGHLY_FROM_SECONDS = 30;

/** From ten minutes on, times are rounded to five minutes (in seconds). */
const FIVES = { from: 600, of: 300 } as const;
const rounded = (seconds: number) =>
  seconds < FIVES.from ? seconds : FIVES.of * Math.round(seconds / FIVES.of);

const STARTS_AT_ONCE: Record<MediaKind, string> = {
  video: 'Scegli il video: si carica da solo.',
  image: 'Scegli la foto: si carica da sola.',
  tickets: 'Scegli i biglietti: si caricano da soli.',
  song: 'Scegli la canzone: si carica da sola.',
};

/** Advice for a file that is too large. */
const SMALLER: Record<MediaKind, string> = {
  video:
    'Accorcialo o esportalo in 1080p: su iPhone e Android con «Modifica», su un computer con un programma di montaggio.',
  image: 'Riducila: sul telefono basta uno screenshot, su un computer un programma di foto.',
  tickets: 'Carica un PDF più leggero, oppure una foto o uno screenshot del biglietto.',
  song: 'Scegli un MP3 o un M4A, dall’app «File» del telefono o dal computer.',
};

/** Upload of a file (decision 013). */
export const uploadTexts = {
  field: (title: string) => `File: ${title}`,
  startsAtOnce: (kind: MediaKind) => STARTS_AT_ONCE[kind],
  tooLarge: (size: number, max: number, kind: MediaKind) =>
    `Il file è troppo grande: è di ${humanSize(size)} e può essere al massimo di ${humanSize(max)}. ${SMALLER[kind]}`,
  progressLabel: (nome: string) => `Caricamento di ${nome}`,
  workLabel: (nome: string) => `Preparazione di ${nome}`,
  sent: (sent: number, size: number) => `${humanSize(sent)} di ${humanSize(size)}`,
  speed: humanSpeed,
  share: humanShare,
  timeLeft: (seconds: number) => `ancora ${humanTimeLeft(seconds)}`,
  /** Processing of a complete upload. */
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
  resumeProgress: (share: number) => `Era arrivato ${withArticle('al', humanShare(share))}.`,
  otherFile: (nome: string) => `Questo file è un altro: per riprendere serve ${nome}.`,
  discard: 'Scarta',
  indicator: 'Caricamenti in corso',
  indicatorWaiting: (share: number) => `${humanShare(share)}, in attesa della rete`,
  indicatorStopped: 'Caricamento fermo',
  indicatorQueued: 'In attesa',
  indicatorWorking: (share: number) => `Preparo… ${humanShare(share)}`,
  indicatorRefused: 'Non è stato accettato',
} as const;
