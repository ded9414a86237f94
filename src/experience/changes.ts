import type { Disconnection, Visit } from '../contract/visit.ts';
import { stageNow, type VisitContext } from './context.ts';
import { mergeVisit } from './merge-visit.ts';
import type { ChosenAnswers } from './ports.ts';

type Change = Partial<VisitContext>;
type Of = { context: VisitContext };

/** Begins the visit, or takes it up again, where the server says (decision 4). */
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

/** A phrase on show means that the fonts were waited for: no later one does. */
export function phraseBegan({ context }: Of, index: number): Change {
  return { phrase: { index, run: (context.phrase?.run ?? 0) + 1, resting: false }, fontsReady: true };
}

export function phraseEnded({ context: { phrase } }: Of): Change {
  return { phrase: phrase === null ? null : { ...phrase, resting: true } };
}

/** The first question that isn't answered yet. */
export function showNextQuestion({ context: { chosen } }: Of): Change {
  return { asked: chosen.risposta_1 === undefined ? 1 : 2 };
}

/** Locks an answer that is still open. */
export function lockAnswer({ context: { chosen } }: Of, question: 1 | 2, value: boolean): Change {
  const locked = question === 1 ? { risposta_1: value } : { risposta_2: value };
  return { chosen: { ...chosen, ...locked }, asked: question };
}

/** The answers the visitor had locked before a reload. */
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
