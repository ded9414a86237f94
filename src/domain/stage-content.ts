import type { Dress, FrasiFinali, PhraseList } from './configuration.ts';
import {
  imageSeconds,
  phraseSeconds,
  type Snapshot,
  shownPhrases,
  songUrl,
  textOr,
  tripOf,
  type Viaggio,
} from './content.ts';
import { type Hues, skyHues } from './hues.ts';
import { itinerary, type Step } from './itinerary.ts';
import { DEFAULT_TEXTS, PLAYBACK_RATES } from './limits.ts';
import type { Captions } from './media.ts';
import type { Fuoco } from './pictures.ts';
import { recipientName } from './recipient-name.ts';

export type Answers = { risposta_1: boolean; risposta_2: boolean };

/** Returns the first trip's closing phrase for these answers; null if there is none to show (spec 4 «Closing rules»). */
export function closingPhrase(frasi_finali: FrasiFinali | null, answers: Answers | null): string | null {
  if (frasi_finali === null || answers === null) return null;
  const phrase = textOr(frasi_finali[closingKind(answers)], '');
  return phrase === '' ? null : phrase;
}

function closingKind({ risposta_1, risposta_2 }: Answers): keyof FrasiFinali {
  if (risposta_1 !== risposta_2) return 'misto';
  return risposta_1 ? 'entrambi_si' : 'entrambi_no';
}

/** Position of a visit: index of the step, index of the phrase in it, second of the video in it. */
export type Position = { step: number; phrase: number; second: number };

export const START: Position = { step: 0, phrase: 0, second: 0 };

export type Advance = { kind: 'moved'; position: Position } | { kind: 'kept' } | { kind: 'refused' };

/**
 * Returns the furthest position after the browser reports that `reported` begins. An earlier position changes nothing.
 * Refuses a report more than one step ahead, or past unanswered questions.
 * @param answered trips whose answers are stored
 */
export function advance(
  steps: readonly Step[],
  now: Position,
  reported: Position,
  answered: ReadonlySet<Viaggio>,
): Advance {
  const current = steps[now.step];
  if (current === undefined || reported.step >= steps.length || reported.step > now.step + 1)
    return { kind: 'refused' };
  if (reported.step > now.step) {
    const waiting = current.stage === 'questions' && !answered.has(current.viaggio);
    return waiting ? { kind: 'refused' } : { kind: 'moved', position: reported };
  }
  return reported.step === now.step && isFurther(now, reported)
    ? { kind: 'moved', position: reported }
    : { kind: 'kept' };
}

function isFurther(now: Position, reported: Position): boolean {
  return reported.phrase > now.phrase || (reported.phrase === now.phrase && reported.second > now.second);
}

/** Returns the number of steps whose content the browser may have: those reached and the next. */
export function visibleStepCount(steps: readonly Step[], position: Position): number {
  return Math.min(steps.length, position.step + 2);
}

/** `secondi_esatti`: each phrase stays exactly this time; otherwise at least this time and its reading time. */
type Phrases = { frasi: string[]; durata_frase_secondi: number; secondi_esatti: boolean };

/** Content of a stage: everything it needs, and nothing of any other stage. */
export type StageContent =
  | ({ stage: 'pre_phrases'; viaggio: 1 } & Phrases)
  | {
      stage: 'video';
      viaggio: 1;
      video_url: string;
      poster_url: string | null;
      /** Light version of the film for a slow connection, if there is one. */
      light_url: string | null;
      captions: Captions | null;
      /** Bits per second of the full film; null if unknown. */
      video_bitrate: number | null;
      video_playback_rate: number;
      video_button_text: string;
    }
  | ({ stage: 'between_phrases'; viaggio: 2 } & Phrases)
  | ({ stage: 'phrases'; viaggio: Viaggio } & Phrases)
  | {
      stage: 'destination';
      viaggio: Viaggio;
      immagine_destinazione_url: string;
      fuoco: Fuoco | null;
      /** Sky colours from the picture, used until this trip ends; null for the dress's own. */
      hues: Hues | null;
      titolo_destinazione: string;
      titolo_viaggio: string;
      durata_immagine_destinazione_secondi: number;
    }
  | {
      stage: 'card';
      viaggio: Viaggio;
      /** Picture of the destination stage; null if the trip has none. */
      immagine_destinazione_url: string | null;
      fuoco: Fuoco | null;
      titolo_destinazione: string;
      titolo_viaggio: string;
      data_partenza: string;
      data_ritorno: string;
      biglietti_url: string | null;
      /** Pages of the tickets as pictures, in order; null until they are rendered. */
      ticket_pages: string[] | null;
      testo_istruzioni_biglietti: string;
    }
  | { stage: 'questions'; viaggio: Viaggio; domanda_1: string; domanda_2: string }
  | { stage: 'closing'; viaggio: 1; frase: string | null; answered: boolean }
  | ({ stage: 'closing'; viaggio: 2 } & Phrases);

export type StoredAnswers = ReadonlyMap<Viaggio, Answers>;

/**
 * Returns the content of the stages reached and of the next one, in order. Later content never leaves the server.
 * The closing phrase depends on the answers and is null until they are stored.
 */
export function visibleContent(
  snapshot: Snapshot,
  position: Position,
  answers: StoredAnswers,
): StageContent[] {
  const steps = itinerary(snapshot);
  return steps
    .slice(0, visibleStepCount(steps, position))
    .map((step) => stageContent(snapshot, step, answers));
}

/** Returns the song's address as soon as the stage after the video is visible, else null. The song starts when the video ends. */
export function visibleSong(snapshot: Snapshot, position: Position): string | null {
  const steps = itinerary(snapshot);
  const video = steps.findIndex((step) => step.stage === 'video');
  return visibleStepCount(steps, position) > video + 1 ? songUrl(snapshot.config) : null;
}

/** Returns the content of one stage. */
export function stageContent(snapshot: Snapshot, step: Step, answers: StoredAnswers): StageContent {
  const { config } = snapshot;
  const trip = tripOf(snapshot, step.viaggio);
  switch (step.stage) {
    case 'pre_phrases':
      return {
        stage: step.stage,
        viaggio: 1,
        ...phrasesOf(snapshot, 'frasi_pre_video'),
      };
    case 'between_phrases':
      return {
        stage: step.stage,
        viaggio: 2,
        ...phrasesOf(snapshot, 'frasi_tra_viaggi'),
      };
    case 'phrases':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        ...phrasesOf(snapshot, step.viaggio === 1 ? 'frasi' : 'frasi_secondo_viaggio'),
      };
    case 'video':
      return videoContent(snapshot);
    case 'destination':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        immagine_destinazione_url: trip.immagine_destinazione_url ?? '',
        fuoco: trip.fuoco,
        hues: skyHues(trip.hues),
        titolo_destinazione: trip.titolo_destinazione,
        titolo_viaggio: trip.titolo_viaggio,
        durata_immagine_destinazione_secondi: imageSeconds(config.durata_immagine_destinazione_secondi),
      };
    case 'card':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        immagine_destinazione_url: trip.immagine_destinazione_url,
        fuoco: trip.fuoco,
        titolo_destinazione: trip.titolo_destinazione,
        titolo_viaggio: trip.titolo_viaggio,
        data_partenza: trip.data_partenza,
        data_ritorno: trip.data_ritorno,
        biglietti_url: trip.biglietti_url,
        ticket_pages: trip.ticket_pages,
        testo_istruzioni_biglietti: trip.testo_istruzioni_biglietti,
      };
    case 'questions':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        domanda_1: trip.domande?.domanda_1 ?? '',
        domanda_2: trip.domande?.domanda_2 ?? '',
      };
    case 'closing':
      return closingContent(snapshot, step.viaggio, answers);
  }
}

function phrasesOf({ config }: Snapshot, list: PhraseList): Phrases {
  return {
    frasi: shownPhrases(config[list]),
    durata_frase_secondi: phraseSeconds(config.durata_frase_secondi),
    secondi_esatti: config.frasi_secondi_esatti.includes(list),
  };
}

function videoContent({ config, poster_url, light_url, video_bitrate, captions }: Snapshot): StageContent {
  const rate = PLAYBACK_RATES.find((allowed) => allowed === config.video_playback_rate) ?? 1;
  return {
    stage: 'video',
    viaggio: 1,
    video_url: config.video_url ?? '',
    poster_url,
    light_url,
    captions,
    video_bitrate,
    video_playback_rate: rate,
    video_button_text: textOr(config.video_button_text, DEFAULT_TEXTS.video_button_text),
  };
}

function closingContent(snapshot: Snapshot, viaggio: Viaggio, answers: StoredAnswers): StageContent {
  const { config } = snapshot;
  if (viaggio === 2)
    return { stage: 'closing', viaggio, ...phrasesOf(snapshot, 'frasi_finali_secondo_viaggio') };
  const stored = answers.get(1) ?? null;
  return {
    stage: 'closing',
    viaggio,
    frase: closingPhrase(config.frasi_finali, stored),
    answered: stored !== null,
  };
}

/** State of a visit for its rules: snapshot, steps, position, and stored answers. */
export type VisitProgress = {
  readonly snapshot: Snapshot;
  readonly steps: readonly Step[];
  readonly position: Position;
  readonly answers: StoredAnswers;
};

/** Part of a visit that the browser may have: the stages reached and the next one. */
export type VisibleVisit = {
  position: Position;
  stages: StageContent[];
  /** True if no further stage exists. */
  complete: boolean;
  answers: (Answers & { viaggio: Viaggio })[];
  canzone_url: string | null;
  /** Recipient's name; null if none is set. */
  recipient_name: string | null;
  dress: Dress;
  sound_effects: boolean;
};

export function visibleVisit({ snapshot, steps, position, answers }: VisitProgress): VisibleVisit {
  return {
    position,
    stages: visibleContent(snapshot, position, answers),
    complete: visibleStepCount(steps, position) === steps.length,
    answers: [...answers].map(([viaggio, tripAnswers]) => ({ viaggio, ...tripAnswers })),
    canzone_url: visibleSong(snapshot, position),
    recipient_name: recipientName(snapshot.config),
    dress: snapshot.config.dress,
    sound_effects: snapshot.config.sound_effects,
  };
}

/** Returns the effect of the browser's report that `reported` begins. */
export function advanceVisit({ steps, position, answers }: VisitProgress, reported: Position): Advance {
  return advance(steps, position, reported, new Set(answers.keys()));
}

/** `new`: to be stored. `repeated`: already stored with the same values (a reply got lost). */
export type AnswersVerdict = 'new' | 'repeated' | 'ANSWERS_REFUSED' | 'ANSWERS_CONFLICT';

/** Returns whether both answers of a trip can be stored now: only after its questions are reached, and the first ones are final. */
export function answersVerdict(
  { steps, position, answers }: VisitProgress,
  { viaggio, risposta_1, risposta_2 }: Answers & { viaggio: Viaggio },
): AnswersVerdict {
  const questionStep = steps.findIndex((step) => step.stage === 'questions' && step.viaggio === viaggio);
  if (questionStep === -1 || questionStep > position.step) return 'ANSWERS_REFUSED';
  const stored = answers.get(viaggio);
  if (stored === undefined) return 'new';
  const same = stored.risposta_1 === risposta_1 && stored.risposta_2 === risposta_2;
  return same ? 'repeated' : 'ANSWERS_CONFLICT';
}

/** Returns true if the visit can complete: only from the last stage, with every question answered. */
export function canComplete({ steps, position, answers }: VisitProgress): boolean {
  const isOpen = ({ stage, viaggio }: Step) => stage === 'questions' && !answers.has(viaggio);
  return position.step === steps.length - 1 && !steps.some(isOpen);
}
