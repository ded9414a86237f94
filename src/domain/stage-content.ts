import type { FrasiFinali, Snapshot, StageContent } from '../contract/model.ts';
import type { Visit } from '../contract/visit.ts';
import type { PhraseList } from './configuration.ts';
import {
  imageSeconds,
  phraseSeconds,
  shownPhrases,
  songUrl,
  textOr,
  tripOf,
  type Viaggio,
} from './content.ts';
import { skyHues } from './hues.ts';
import { itinerary, type Step } from './itinerary.ts';
import { DEFAULT_TEXTS } from './limits.ts';
import { recipientName } from './recipient-name.ts';

export type { StageContent } from '../contract/model.ts';

/** Both answers of a trip. */
export type Answers = Omit<Visit['answers'][number], 'viaggio'>;

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
export type Position = Visit['position'];

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
  const { stage, viaggio } = step;
  const { frasi: _frasi, hues, domande, ...card } = tripOf(snapshot, viaggio);
  switch (stage) {
    case 'pre_phrases':
      return { stage, viaggio: 1, ...phrasesOf(snapshot, 'frasi_pre_video') };
    case 'between_phrases':
      return { stage, viaggio: 2, ...phrasesOf(snapshot, 'frasi_tra_viaggi') };
    case 'phrases':
      return { stage, viaggio, ...phrasesOf(snapshot, viaggio === 1 ? 'frasi' : 'frasi_secondo_viaggio') };
    case 'video':
      return videoContent(snapshot);
    case 'destination':
      return {
        stage,
        viaggio,
        immagine_destinazione_url: card.immagine_destinazione_url ?? '',
        fuoco: card.fuoco,
        hues: skyHues(hues),
        titolo_destinazione: card.titolo_destinazione,
        titolo_viaggio: card.titolo_viaggio,
        durata_immagine_destinazione_secondi: imageSeconds(
          snapshot.config.durata_immagine_destinazione_secondi,
        ),
      };
    case 'card':
      return { stage, ...card };
    case 'questions':
      return { stage, viaggio, domanda_1: '', domanda_2: '', ...domande };
    case 'closing':
      return closingContent(snapshot, viaggio, answers);
  }
}

function phrasesOf({ config }: Snapshot, list: PhraseList) {
  return {
    frasi: shownPhrases(config[list]),
    durata_frase_secondi: phraseSeconds(config.durata_frase_secondi),
    secondi_esatti: config.frasi_secondi_esatti.includes(list),
  };
}

function videoContent({ config, poster_url, light_url, video_bitrate, captions }: Snapshot): StageContent {
  return {
    stage: 'video',
    viaggio: 1,
    video_url: config.video_url ?? '',
    poster_url,
    light_url,
    captions,
    video_bitrate,
    video_playback_rate: config.video_playback_rate,
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
export type VisibleVisit = Omit<Visit, 'session_id' | 'token_id' | 'token_value'>;

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
