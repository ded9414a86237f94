import type { Position } from '../domain/position.ts';
import { answeredTrips, bothYes, stageNow, type VisitContext } from './context.ts';
import type { Notice } from './ports.ts';
import { shouldSongPlay } from './song-rule.ts';
import { VIDEO_REPORT_SECONDS } from './timings.ts';

type Args = { context: VisitContext };

/** Where the visitor is now, as the server is told. */
export function currentPosition({ step, from, phrase }: VisitContext): Position {
  return { step, phrase: phrase?.index ?? from.phrase, second: from.second };
}

export function isNewPosition({ reported }: VisitContext, place: Position): boolean {
  return (
    reported === null ||
    reported.step !== place.step ||
    reported.phrase !== place.phrase ||
    Math.abs(reported.second - place.second) >= VIDEO_REPORT_SECONDS
  );
}

/** What the song has to do in this stage: nothing when it already is as it should. */
export function songAction(context: VisitContext): 'start' | 'fade' | 'stop' | null {
  const { visit, step, songOn } = context;
  const plays = visit?.canzone_url != null && shouldSongPlay(visit.stages, step, answeredTrips(context));
  if (plays === songOn) return null;
  if (plays) return 'start';
  return stageNow(context)?.stage === 'video' ? 'stop' : 'fade';
}

export function runSongAction({ context }: Args, move: 'start' | 'fade' | 'stop'): void {
  const { ports, visit, step } = context;
  const url = visit?.canzone_url;
  if (move !== 'start') ports.song[move]();
  else if (url != null) ports.song.start({ url, viaggio: visit?.stages[step]?.viaggio ?? 1 });
}

export function stopMedia({ context: { ports } }: Args): void {
  ports.song.stop();
  ports.video.stop();
}

export function notify({ context }: Args, notice: Notice): void {
  context.ports.notify(notice);
}

/** Says the first failure of a row: that the answers are kept stands there while they are tried again. */
export function sayUnsent({ context }: Args): void {
  if (context.failures === 0) context.ports.notify({ kind: 'answers_failed' });
}

/** The server has the trip's answers: the device's copy is forgotten, and where she would leave from now on is noted (spec 7). */
export function thankForAnswers({ context }: Args): void {
  const viaggio = stageNow(context)?.viaggio;
  if (context.visit === null || viaggio === undefined) return;
  context.ports.answerStore.clear(context.visit.session_id, viaggio);
  context.ports.trackExit('after_checkboxes');
}

/** The success notice of an evening without a closing phrase (spec 4, decision 14). */
export function notifyCompleted({ context }: Args): void {
  context.ports.notify({ kind: 'completed', bothYes: bothYes(context, 2) ?? bothYes(context, 1) });
}

export function notifyDisconnected({ context: { ports, disconnection } }: Args): void {
  if (disconnection !== null) ports.notify({ kind: 'disconnected', ...disconnection });
}

/** Tells the visitor and, where the server can't know, the administrator. */
export function notifyFailed({ context: { ports, failure } }: Args): void {
  if (failure === null) return;
  ports.notify({ kind: 'failed', code: failure });
  if (failure === 'VIDEO_FAILED') ports.reportError('video');
  if (failure === 'LOADING') ports.reportError('loading');
}

/** Keeps what is locked on the device, so that a reload asks only what is still open. */
export function saveAnswers({ context }: Args): void {
  const viaggio = stageNow(context)?.viaggio;
  if (context.visit === null || viaggio === undefined) return;
  context.ports.answerStore.save(context.visit.session_id, viaggio, context.chosen);
}

/** A conflict: the server has other answers, which stand. */
export function discardAnswers({ context }: Args): void {
  const viaggio = stageNow(context)?.viaggio;
  if (context.visit !== null && viaggio !== undefined)
    context.ports.answerStore.clear(context.visit.session_id, viaggio);
}
