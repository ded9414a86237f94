import type { Disconnection } from '../contract/visit.ts';
import type { Viaggio } from '../domain/content.ts';
import { type ExitPoint, exitPoint } from '../domain/exit-points.ts';
import { type Stage, ticketsWithinReach } from '../domain/itinerary.ts';
import type { StageContent } from '../domain/stage-content.ts';
import { isUnseen, paceOf, pictureMs, sequenceOf, stageNow } from './context.ts';
import type { ChosenAnswers, FailureCode } from './ports.ts';
import type { VisitSnapshot } from './visit-machine.ts';

/** What is to be on the screen. `offline`: loading that waits for the network. `over`: nothing; the page is about to leave. */
export type Screen = Stage | 'loading' | 'offline' | 'waiting' | 'disconnected' | 'over';

export function screenOf(snapshot: VisitSnapshot): Screen {
  if (snapshot.matches('disconnected')) return 'disconnected';
  if (!snapshot.matches('evening')) return 'over';
  if (snapshot.hasTag('offline')) return 'offline';
  if (snapshot.hasTag('waiting')) return 'waiting';
  return stageMeta(snapshot)?.stage ?? 'loading';
}

export type CurrentStage = { step: number; content: StageContent };

/** The stage on show and its content; while the visit is being closed still the closing. Null where no stage is on. */
export function currentStage(snapshot: VisitSnapshot): CurrentStage | null {
  if (stageMeta(snapshot)?.stage == null) return null;
  const { visit, step } = snapshot.context;
  const shown = snapshot.matches({ evening: 'completing' }) ? step - 1 : step;
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
  /** The pause after the last phrase. */
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
  const seconds = (stays * paceOf(context)) / 1_000;
  return { text, ...phrase, total: frasi.length, seconds, paused: isUnseen(context) };
}

/** How long the destination picture stays, in seconds. */
export function pictureSeconds({ context }: VisitSnapshot): number {
  return (pictureMs(stageNow(context)) * paceOf(context)) / 1_000;
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

/** The questions' buttons: what is locked, and whether the answers are under way. */
export function questionsOf(snapshot: VisitSnapshot): { chosen: ChosenAnswers; sending: boolean } {
  return { chosen: snapshot.context.chosen, sending: snapshot.hasTag('sending') };
}

/** The tickets were tapped: the questions come by themselves. */
export function isDownloaded(snapshot: VisitSnapshot): boolean {
  return snapshot.hasTag('downloaded');
}

/** Timers stand still: animations that show time should, too. */
export function isPaused({ context }: VisitSnapshot): boolean {
  return isUnseen(context);
}

export type TicketsAtHand = { viaggio: Viaggio; biglietti_url: string; titolo_destinazione: string };

/** The tickets she can look at now (decision 30), the latest trip's first. */
export function ticketsAtHand(snapshot: VisitSnapshot): TicketsAtHand[] {
  const stage = currentStage(snapshot)?.content;
  if (stage === undefined || snapshot.matches({ evening: 'completing' })) return [];
  const known = snapshot.context.visit?.stages ?? [];
  return ticketsWithinReach(stage).flatMap((viaggio) =>
    known.flatMap((content) => {
      if (content.stage !== 'card' || content.viaggio !== viaggio || content.biglietti_url === null)
        return [];
      const { biglietti_url, titolo_destinazione } = content;
      return [{ viaggio, biglietti_url, titolo_destinazione }];
    }),
  );
}

export function disconnectionOf({ context }: VisitSnapshot): Disconnection | null {
  return context.disconnection;
}

export type WayOut =
  | { because: 'ended' | 'expelled' | 'disconnected' }
  | { because: 'failed'; code: FailureCode };

/** Set when the page has to go to `/`, replacing history. After a disconnection it comes 2 s after the notice (spec 4). */
export function wayOut(snapshot: VisitSnapshot): WayOut | null {
  if (snapshot.matches('ended')) return { because: 'ended' };
  if (snapshot.matches('expelled')) return { because: 'expelled' };
  if (snapshot.matches('failed')) return { because: 'failed', code: snapshot.context.failure ?? 'LOADING' };
  return snapshot.hasTag('gone') ? { because: 'disconnected' } : null;
}

function stageMeta(snapshot: VisitSnapshot) {
  return Object.values(snapshot.getMeta()).find((meta) => meta !== undefined);
}
