import type { Position } from '../domain/stage-content.ts';
import { answeredTrips, bothYes, stageNow, type VisitContext } from './context.ts';
import type { Notice } from './ports.ts';
import { shouldSongPlay } from './song-rule.ts';
import { VIDEO_REPORT_SECONDS } from './timings.ts';

type Args = { context: VisitContext };

/** Returns the visitor's position as reported to the server. */
export function currentPosition({ step, from, phrase }: VisitContext): Position {
  return { step, phrase: phrase?.index ?? from.phrase, second: from.second };
}

export function isNewPosition({ reported }: VisitContext, position: Position): boolean {
  return (
    reported === null ||
    reported.step !== position.step ||
    reported.phrase !== position.phrase ||
    Math.abs(reported.second - position.second) >= VIDEO_REPORT_SECONDS
  );
}

/** Returns the song action of this stage, or null if the song is already in the right state. */
export function songAction(context: VisitContext): 'start' | 'fade' | 'stop' | null {
  const { visit, step, songOn } = context;
  const plays = visit?.canzone_url != null && shouldSongPlay(visit.stages, step, answeredTrips(context));
  if (plays === songOn) return null;
  if (plays) return 'start';
  return stageNow(context)?.stage === 'video' ? 'stop' : 'fade';
}

export function runSongAction({ context }: Args, action: 'start' | 'fade' | 'stop'): void {
  const { ports, visit, step } = context;
  const url = visit?.canzone_url;
  if (action !== 'start') ports.song[action]();
  else if (url != null) ports.song.start({ url, viaggio: visit?.stages[step]?.viaggio ?? 1 });
}

export function stopMedia({ context: { ports } }: Args): void {
  ports.song.stop();
  ports.video.stop();
}

export function notify({ context }: Args, notice: Notice): void {
  context.ports.notify(notice);
}

/** Announces only the first failure in a row: its notice stays on screen during the retries. */
export function sayUnsent({ context }: Args): void {
  if (context.failures === 0) context.ports.notify({ kind: 'answers_failed' });
}

/**
 * Clears the device's copy of answers that the server has stored, and reports the exit point that applies now (spec 7).
 */
export function thankForAnswers({ context }: Args): void {
  const viaggio = stageNow(context)?.viaggio;
  if (context.visit === null || viaggio === undefined) return;
  context.ports.answerStore.clear(context.visit.session_id, viaggio);
  context.ports.trackExit('after_checkboxes');
}

/** Shows the success notice of an evening without a closing phrase (spec 4). */
export function notifyCompleted({ context }: Args): void {
  context.ports.notify({ kind: 'completed', bothYes: bothYes(context, 2) ?? bothYes(context, 1) });
}

export function notifyDisconnected({ context: { ports, disconnection } }: Args): void {
  if (disconnection !== null) ports.notify({ kind: 'disconnected', ...disconnection });
}

/** Notifies the visitor, and reports to the administrator the errors that the server cannot see. */
export function notifyFailed({ context: { ports, failure } }: Args): void {
  if (failure === null) return;
  ports.notify({ kind: 'failed', code: failure });
  if (failure === 'VIDEO_FAILED') ports.reportError('video');
  if (failure === 'LOADING') ports.reportError('loading');
}

/** Stores locked answers on the device, so that a reload asks only the open questions. */
export function saveAnswers({ context }: Args): void {
  const viaggio = stageNow(context)?.viaggio;
  if (context.visit === null || viaggio === undefined) return;
  context.ports.answerStore.save(context.visit.session_id, viaggio, context.chosen);
}

/** Discards the local answers after a conflict: those on the server are final. */
export function discardAnswers({ context }: Args): void {
  const viaggio = stageNow(context)?.viaggio;
  if (context.visit !== null && viaggio !== undefined)
    context.ports.answerStore.clear(context.visit.session_id, viaggio);
}
