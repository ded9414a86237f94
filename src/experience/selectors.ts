import type { Disconnection } from '../contract/visit.ts';
import type { Viaggio } from '../domain/content.ts';
import { type ExitPoint, exitPoint } from '../domain/exit-points.ts';
import type { Hues } from '../domain/hues.ts';
import { type Stage, ticketsForStage } from '../domain/itinerary.ts';
import type { StageContent } from '../domain/stage-content.ts';
import { bothYes, isTimePaused, pictureMs, sequenceOf, speedOf, stageNow } from './context.ts';
import type { ChartFailure, ChosenAnswers } from './ports.ts';
import type { VisitSnapshot } from './visit-machine.ts';

/** What is to be on the screen. `offline`: loading that waits for the network. `over`: nothing, since the page is about to leave. A finished evening still shows its closing. */
export type Screen = Stage | 'loading' | 'offline' | 'waiting' | 'disconnected' | 'over';

export function screenOf(snapshot: VisitSnapshot): Screen {
  if (snapshot.matches('disconnected')) return 'disconnected';
  if (snapshot.matches('ended')) return 'closing';
  if (!snapshot.matches('evening')) return 'over';
  if (snapshot.hasTag('offline')) return 'offline';
  if (snapshot.hasTag('waiting')) return 'waiting';
  return stageMeta(snapshot)?.stage ?? 'loading';
}

/** Something of the evening can be shown: a screen, and the first words where it has words. */
export function isContentReady(snapshot: VisitSnapshot): boolean {
  const screen = screenOf(snapshot);
  return screen.endsWith('phrases') ? currentPhrase(snapshot) !== null : screen !== 'loading';
}

export type CurrentStage = { step: number; content: StageContent };

/** The stage on show and its content; while the visit is being closed, and after that, still the closing. Null where no stage is on. */
export function currentStage(snapshot: VisitSnapshot): CurrentStage | null {
  if (stageMeta(snapshot)?.stage == null) return null;
  const { visit, step } = snapshot.context;
  const shown = isEnding(snapshot) ? step - 1 : step;
  const content = visit?.stages[shown];
  return content === undefined ? null : { step: shown, content };
}

/** The content of the stage after this one, where it is known: what may be fetched in advance. */
export function nextStage({ context: { visit, step } }: VisitSnapshot): StageContent | null {
  return visit?.stages[step + 1] ?? null;
}

export type CurrentPhrase = {
  text: string;
  index: number;
  total: number;
  seconds: number;
  /** Changes each time a phrase begins, also when the same one begins anew: a key for the view. */
  run: number;
  /** Its words have gone: the gap before the next one, or the pause after the last. */
  resting: boolean;
  /** The time stands still: the page is hidden. */
  paused: boolean;
};

/** The phrase on show in any sequence (the closing phrase of a single trip is a sequence of one); null between sequences. */
export function currentPhrase({ context }: VisitSnapshot): CurrentPhrase | null {
  const { phrase } = context;
  if (phrase === null) return null;
  const { frasi, phraseMs } = sequenceOf(stageNow(context));
  const text = frasi[phrase.index];
  const stays = phraseMs[phrase.index];
  if (text === undefined || stays === undefined) return null;
  const seconds = (stays * speedOf(context)) / 1_000;
  return { text, ...phrase, total: frasi.length, seconds, paused: isTimePaused(context) };
}

/** Is the pause after the last phrase on, and a picture next? It comes already then: no night lies bare between the two. */
export function isPictureArriving(snapshot: VisitSnapshot): boolean {
  const phrase = currentPhrase(snapshot);
  return (
    phrase?.resting === true &&
    phrase.index + 1 === phrase.total &&
    nextStage(snapshot)?.stage === 'destination'
  );
}

/** The destination on show, or the one that arrives. */
export function pictureOnShow(snapshot: VisitSnapshot) {
  const content = isPictureArriving(snapshot) ? nextStage(snapshot) : currentStage(snapshot)?.content;
  return content?.stage === 'destination' ? content : null;
}

/** What the sky takes from a trip's picture, once that has been handed out. */
export function huesOf({ context }: VisitSnapshot, viaggio: Viaggio): Hues | null {
  const picture = context.visit?.stages.find(
    (content) => content.stage === 'destination' && content.viaggio === viaggio,
  );
  return picture?.stage === 'destination' ? picture.hues : null;
}

/** How long that picture's own time is, in seconds. */
export function pictureSeconds(snapshot: VisitSnapshot): number {
  return (pictureMs(pictureOnShow(snapshot) ?? undefined) * speedOf(snapshot.context)) / 1_000;
}

/** Where a visitor who leaves now is said to have left (spec 4 «Exit tracking»). While content is waited for: the stage before it. */
export function exitPointOf(snapshot: VisitSnapshot): ExitPoint {
  const { visit, step } = snapshot.context;
  const named = stageMeta(snapshot)?.exitPoint;
  if (named != null) return named;
  const content = visit?.stages[step] ?? visit?.stages[step - 1];
  return content === undefined ? 'during_pre_phrases' : exitPoint(content);
}

/** The second at which the video is to begin, or to go on. */
export function videoSecond({ context }: VisitSnapshot): number {
  return context.from.second;
}

/** The questions' scene: which one is on show, what is locked, and whether the answers are under way. */
export function questionsOf(snapshot: VisitSnapshot): {
  asked: 1 | 2;
  chosen: ChosenAnswers;
  sending: boolean;
} {
  const { asked, chosen } = snapshot.context;
  return { asked, chosen, sending: snapshot.hasTag('sending') };
}

/** She is told that her answers were sent: whether both are yes. Null at any other time. */
export function thanksOf(snapshot: VisitSnapshot): { bothYes: boolean } | null {
  if (!snapshot.matches({ evening: 'thanking' })) return null;
  return { bothYes: bothYes(snapshot.context, stageNow(snapshot.context)?.viaggio) ?? false };
}

/** The tickets were tapped: the questions come by themselves. */
export function isDownloaded(snapshot: VisitSnapshot): boolean {
  return snapshot.hasTag('downloaded');
}

/** «Continua» is there. */
export function mayContinue(snapshot: VisitSnapshot): boolean {
  return snapshot.can({ type: 'CONTINUE' });
}

/** Timers stand still: animations that show time should, too. */
export function isPaused({ context }: VisitSnapshot): boolean {
  return isTimePaused(context);
}

export type AvailableTickets = {
  viaggio: Viaggio;
  /** Null until they are drawn. */
  ticket_pages: readonly string[] | null;
  titolo_destinazione: string;
};

/** The last stage is leaving, or has left. */
export const isEnding = (snapshot: VisitSnapshot): boolean =>
  snapshot.matches({ evening: 'completing' }) || snapshot.status === 'done';

/** The tickets she can look at now (decision 30), the latest trip's first. */
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

/** Set when the page has to go to `/`, replacing history. After a disconnection it comes 2 s after the notice (spec 4). */
export function exitReason(snapshot: VisitSnapshot): ExitReason | null {
  if (snapshot.matches('ended')) return { because: 'ended' };
  if (snapshot.matches('expelled')) return { because: 'expelled' };
  if (snapshot.matches('failed')) return { because: 'failed', code: snapshot.context.failure ?? 'LOADING' };
  return snapshot.hasTag('gone') ? { because: 'disconnected' } : null;
}

function stageMeta(snapshot: VisitSnapshot) {
  return Object.values(snapshot.getMeta()).find((meta) => meta !== undefined);
}
