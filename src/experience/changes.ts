import type { Disconnection, Visit } from '../contract/visit.ts';
import { stageNow, type VisitContext } from './context.ts';
import { mergeVisit } from './merge-visit.ts';
import type { ChosenAnswers } from './ports.ts';

type Change = Partial<VisitContext>;
type Of = { context: VisitContext };

/** Starts or resumes the visit at the position that the server reports. */
export function startOrResume(visit: Visit): Change {
  const { step, phrase, second } = visit.position;
  return { visit, step, from: { phrase, second }, phrase: null, reported: null };
}

export function mergeLoaded({ context }: Of, visit: Visit): Change {
  return { visit: mergeVisit(context.visit, visit) };
}

export function nextStep({ context }: Of): Change {
  return { step: context.step + 1, from: { phrase: 0, second: 0 }, phrase: null };
}

/** Marks a phrase as shown. The fonts count as ready from then on, so later phrases do not wait for them. */
export function phraseBegan({ context }: Of, index: number): Change {
  return { phrase: { index, run: (context.phrase?.run ?? 0) + 1, resting: false }, fontsReady: true };
}

export function phraseEnded({ context: { phrase } }: Of): Change {
  return { phrase: phrase === null ? null : { ...phrase, resting: true } };
}

/** Shows the first unanswered question. */
export function showNextQuestion({ context: { chosen } }: Of): Change {
  return { asked: chosen.risposta_1 === undefined ? 1 : 2 };
}

/** Locks the answer to an open question. */
export function lockAnswer({ context: { chosen } }: Of, question: 1 | 2, value: boolean): Change {
  const locked = question === 1 ? { risposta_1: value } : { risposta_2: value };
  return { chosen: { ...chosen, ...locked }, asked: question };
}

/** Restores the answers that the visitor locked before a reload. */
export function restoreAnswers({ context }: Of): Change {
  const { visit, ports } = context;
  const viaggio = stageNow(context)?.viaggio;
  const chosen: ChosenAnswers =
    visit === null || viaggio === undefined ? {} : ports.answerStore.load(visit.session_id, viaggio);
  return { chosen };
}

export function disconnectedBy({ reason, contatto }: Disconnection): Change {
  return { disconnection: { reason, contatto } };
}
