import type { Disconnection } from '../contract/visit.ts';
import type { Viaggio } from '../domain/content.ts';
import type { Hues } from '../domain/hues.ts';
import { type ExitPoint, exitPoint, type Stage, ticketsForStage } from '../domain/itinerary.ts';
import type { StageContent } from '../domain/stage-content.ts';
import { bothYes, isTimePaused, pictureMs, sequenceOf, speedOf, stageNow } from './context.ts';
import type { ChartFailure, ChosenAnswers } from './ports.ts';
import type { VisitSnapshot } from './visit-machine.ts';

/**
 * Screen to show. `offline`: loading waits for the network. `over`: nothing, the page is about to leave. A finished
 * evening still shows its closing.
 */
export type Screen = Stage | 'loading' | 'offline' | 'waiting' | 'disconnected' | 'over';

export function screenOf(snapshot: VisitSnapshot): Screen {
  if (snapshot.matches('disconnected')) return 'disconnected';
  if (snapshot.matches('ended')) return 'closing';
  if (!snapshot.matches('evening')) return 'over';
  if (snapshot.hasTag('offline')) return 'offline';
  if (snapshot.hasTag('waiting')) return 'waiting';
  return stageMeta(snapshot)?.stage ?? 'loading';
}

/** Returns true if the evening can be shown: a screen, with its first phrase if it has phrases. */
export function isContentReady(snapshot: VisitSnapshot): boolean {
  const screen = screenOf(snapshot);
  return screen.endsWith('phrases') ? currentPhrase(snapshot) !== null : screen !== 'loading';
}

export type CurrentStage = { step: number; content: StageContent };

/**
 * Returns the current stage and its content, or null if there is none. Completing and ended visits still show the
 * closing.
 */
export function currentStage(snapshot: VisitSnapshot): CurrentStage | null {
  if (stageMeta(snapshot)?.stage == null) return null;
  const { visit, step } = snapshot.context;
  const shown = isEnding(snapshot) ? step - 1 : step;
  const content = visit?.stages[shown];
  return content === undefined ? null : { step: shown, content };
}

/** Returns the content of the next stage, if known, so that it can be fetched in advance. */
export function nextStage({ context: { visit, step } }: VisitSnapshot): StageContent | null {
  return visit?.stages[step + 1] ?? null;
}

export type CurrentPhrase = {
  text: string;
  index: number;
  total: number;
  seconds: number;
  /** Changes each time a phrase starts, also if the same one restarts: a key for the view. */
  run: number;
  /** The text is hidden: the gap before the next phrase, or the pause after the last. */
  resting: boolean;
  /** Timers are stopped: the page is hidden. */
  paused: boolean;
};

/**
 * Returns the current phrase of any sequence (a single trip's closing phrase is a sequence of one); null between
 * sequences.
 */
export function currentPhrase({ context }: VisitSnapshot): CurrentPhrase | null {
  const { phrase } = context;
  if (phrase === null) return null;
  const { frasi, phraseMs } = sequenceOf(stageNow(context));
  const text = frasi[phrase.index];
  const displayMs = phraseMs[phrase.index];
  if (text === undefined || displayMs === undefined) return null;
  const seconds = (displayMs * speedOf(context)) / 1_000;
  return { text, ...phrase, total: frasi.length, seconds, paused: isTimePaused(context) };
}

/**
 * Returns true during the pause before a destination. Its picture appears already, so that no empty screen is shown.
 */
export function isPictureArriving(snapshot: VisitSnapshot): boolean {
  const phrase = currentPhrase(snapshot);
  return (
    phrase?.resting === true &&
    phrase.index + 1 === phrase.total &&
    nextStage(snapshot)?.stage === 'destination'
  );
}

/** Returns the destination on screen, or the one that is arriving. */
export function pictureOnShow(snapshot: VisitSnapshot) {
  const content = isPictureArriving(snapshot) ? nextStage(snapshot) : currentStage(snapshot)?.content;
  return content?.stage === 'destination' ? content : null;
}

/** Returns the sky colours of a trip's picture, or null if the server has not sent it yet. */
export function huesOf({ context }: VisitSnapshot, viaggio: Viaggio): Hues | null {
  const picture = context.visit?.stages.find(
    (content) => content.stage === 'destination' && content.viaggio === viaggio,
  );
  return picture?.stage === 'destination' ? picture.hues : null;
}

/** Returns the display time of that picture in seconds. */
export function pictureSeconds(snapshot: VisitSnapshot): number {
  return (pictureMs(pictureOnShow(snapshot) ?? undefined) * speedOf(snapshot.context)) / 1_000;
}

/**
 * Returns the exit point of a visitor who leaves now (spec 4). While content is missing, that of the stage before it.
 */
export function exitPointOf(snapshot: VisitSnapshot): ExitPoint {
  const { visit, step } = snapshot.context;
  const named = stageMeta(snapshot)?.exitPoint;
  if (named != null) return named;
  const content = visit?.stages[step] ?? visit?.stages[step - 1];
  return content === undefined ? 'during_pre_phrases' : exitPoint(content);
}

/** Returns the second at which the video starts or resumes. */
export function videoSecond({ context }: VisitSnapshot): number {
  return context.from.second;
}

/** Returns the state of the questions: the one on screen, the locked answers, and whether they are being sent. */
export function questionsOf(snapshot: VisitSnapshot): {
  asked: 1 | 2;
  chosen: ChosenAnswers;
  sending: boolean;
} {
  const { asked, chosen } = snapshot.context;
  return { asked, chosen, sending: snapshot.hasTag('sending') };
}

/** Returns whether both answers are yes while the thanks are shown, else null. */
export function thanksOf(snapshot: VisitSnapshot): { bothYes: boolean } | null {
  if (!snapshot.matches({ evening: 'thanking' })) return null;
  return { bothYes: bothYes(snapshot.context, stageNow(snapshot.context)?.viaggio) ?? false };
}

/** Returns true if the tickets were tapped: the questions follow automatically. */
export function isDownloaded(snapshot: VisitSnapshot): boolean {
  return snapshot.hasTag('downloaded');
}

/** Returns true if «Continua» is shown. */
export function mayContinue(snapshot: VisitSnapshot): boolean {
  return snapshot.can({ type: 'CONTINUE' });
}

/** Returns true if timers are stopped; animations that show time must stop too. */
export function isPaused({ context }: VisitSnapshot): boolean {
  return isTimePaused(context);
}

export type AvailableTickets = {
  viaggio: Viaggio;
  /** null until they are rendered. */
  ticket_pages: readonly string[] | null;
  titolo_destinazione: string;
};

/** Returns true if the last stage is being left, or was left. */
export const isEnding = (snapshot: VisitSnapshot): boolean =>
  snapshot.matches({ evening: 'completing' }) || snapshot.status === 'done';

/** Returns the tickets that the visitor can view now, the latest trip's first. */
export function availableTickets(snapshot: VisitSnapshot): AvailableTickets[] {
  const stage = currentStage(snapshot)?.content;
  if (stage === undefined || isEnding(snapshot)) return [];
  const known = snapshot.context.visit?.stages ?? [];
  return ticketsForStage(stage).flatMap((viaggio) =>
    known.flatMap((content) => {
      if (content.stage !== 'card' || content.viaggio !== viaggio || content.biglietti_url === null)
        return [];
      const { ticket_pages, titolo_destinazione } = content;
      return [{ viaggio, ticket_pages, titolo_destinazione }];
    }),
  );
}

export function disconnectionOf({ context }: VisitSnapshot): Disconnection | null {
  return context.disconnection;
}

export type ExitReason =
  | { because: 'ended' | 'expelled' | 'disconnected' }
  | { because: 'failed'; code: ChartFailure };

/**
 * Returns the reason to go to `/`, replacing history, or null. After a disconnection, 2 s after the notice (spec 4).
 */
export function exitReason(snapshot: VisitSnapshot): ExitReason | null {
  if (snapshot.matches('ended')) return { because: 'ended' };
  if (snapshot.matches('expelled')) return { because: 'expelled' };
  if (snapshot.matches('failed')) return { because: 'failed', code: snapshot.context.failure ?? 'LOADING' };
  return snapshot.hasTag('gone') ? { because: 'disconnected' } : null;
}

function stageMeta(snapshot: VisitSnapshot) {
  return Object.values(snapshot.getMeta()).find((meta) => meta !== undefined);
}
