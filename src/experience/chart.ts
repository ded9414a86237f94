import { assign, setup } from 'xstate';
import type { Disconnection, Visit } from '../contract/visit.ts';
import type { ExitPoint, Stage } from '../domain/itinerary.ts';
import { FORCED_DISCONNECT } from '../domain/limits.ts';
import { completeVisit, resumeVisit, sendAnswers } from './calls.ts';
import * as changes from './changes.ts';
import {
  answeredTrips,
  isTimePaused,
  sequenceOf,
  stageNow,
  type VisitContext,
  type VisitInput,
} from './context.ts';
import * as effects from './effects.ts';
import type { VisitEvent } from './events.ts';
import { phraseMachine } from './phrase-machine.ts';
import type { ChartFailure, Notice, RefusalCode } from './ports.ts';
import { ASK_AGAIN_MS, backoffMs, COMPLETING, LOADING_ATTEMPTS } from './timings.ts';
import { childrenOf } from './visibility.ts';
import { visibleTimer } from './visible-timer.ts';

/** Metadata of a state: the stage it shows, and the exit point reported for a visitor who leaves in it (spec 4). */
export type VisitMeta = { stage: Stage | null; exitPoint: ExitPoint | null };

const parts = setup({
  types: {} as {
    context: VisitContext;
    events: VisitEvent;
    input: VisitInput;
    meta: VisitMeta;
    tags: VisitTag;
  },
  actors: { phraseMachine, visibleTimer, resumeVisit, sendAnswers, completeVisit },
  guards: {
    inRehearsal: ({ context }) => context.rehearsal !== null,
    isStage: ({ context }, { stage }: { stage: Stage }) => stageNow(context)?.stage === stage,
    isKnown: ({ context }) => stageNow(context) !== undefined || isOver(context),
    isOver: ({ context }) => isOver(context),
    hasPhrases: ({ context }) => sequenceOf(stageNow(context)).frasi.length > 0,
    hasTickets: ({ context }) => ticketsOf(context) !== null,
    mayContinue: ({ context }) => ticketsOf(context) === null || context.lookedAt === context.step,
    isOpen: ({ context }, { question }: { question: 1 | 2 }) =>
      (question === 1 ? context.chosen.risposta_1 : context.chosen.risposta_2) === undefined,
    mustSend: ({ context }) =>
      context.chosen.risposta_1 !== undefined &&
      context.chosen.risposta_2 !== undefined &&
      !isAnswered(context),
    tripAnswered: ({ context }) => isAnswered(context),
    /** Returns true if the next stage is a closing without phrases, whose notice confirms the sent answers. */
    isLastAnswered: ({ context }) => {
      const next = context.visit?.stages[context.step + 1];
      return isAnswered(context) && next?.stage === 'closing' && sequenceOf(next).frasi.length === 0;
    },
    isThanked: ({ context }) => isAnswered(context) && context.thankedAt === context.step,
    isOtherVisit: ({ context }, { visit }: { visit: Visit }) =>
      context.visit?.session_id !== visit.session_id,
    isConflict: (_, { code }: { code: RefusalCode }) => code === 'ANSWERS_CONFLICT',
    givesUp: ({ context }, { code }: { code: RefusalCode }) =>
      !PASSING.has(code) && context.refusals + 1 >= LOADING_ATTEMPTS,
    isLastTry: ({ context }) => context.failures + 1 >= COMPLETING.attempts,
    isEnd: (_, { code }: { code: RefusalCode }) => code === 'NO_VISIT' || code === 'VISIT_ENDED',
    isUnready: (_, { code }: { code: RefusalCode }) => code === 'CONFIG_MISSING' || code === 'VIDEO_MISSING',
  },
  actions: {
    hide: assign({ hidden: true }),
    show: assign({ hidden: false }),
    look: assign({ looking: true, lookedAt: ({ context }) => context.step }),
    noteShare: assign({ lookedAt: ({ context }) => context.step }),
    lookAway: assign({ looking: false }),
    noteThanks: assign({ thankedAt: ({ context }) => context.step }),
    fontsCame: assign({ fontsReady: true }),
    takePace: assign((_, { pace }: { pace: number }) => ({ rehearsal: { speed: pace } })),
    startOrResume: assign((_, { visit }: { visit: Visit }) => changes.startOrResume(visit)),
    merge: assign((args, { visit }: { visit: Visit }) => changes.mergeLoaded(args, visit)),
    nextStep: assign(changes.nextStep),
    phraseBegan: assign((args, { index }: { index: number }) => changes.phraseBegan(args, index)),
    phraseEnded: assign(changes.phraseEnded),
    videoAt: assign((_, { second }: { second: number }) => ({ from: { phrase: 0, second } })),
    restoreAnswers: assign(changes.restoreAnswers),
    showNextQuestion: assign(changes.showNextQuestion),
    lockAnswer: assign((args, { question, value }: { question: 1 | 2; value: boolean }) =>
      changes.lockAnswer(args, question, value),
    ),
    tryFailed: assign(({ context }, { code }: { code: RefusalCode }) => ({
      failures: context.failures + 1,
      refusals: context.refusals + (PASSING.has(code) ? 0 : 1),
    })),
    forgetFailures: assign({ failures: 0, refusals: 0 }),
    noteDisconnection: assign((_, disconnection: Disconnection) => changes.disconnectedBy(disconnection)),
    noteFailure: assign((_, { failure }: { failure: ChartFailure }) => ({ failure })),
    stopMedia: effects.stopMedia,
    stopVideo: ({ context }) => context.ports.video.stop(),
    notify: (args, notice: Notice) => effects.notify(args, notice),
    sayUnsent: effects.sayUnsent,
    thankForAnswers: effects.thankForAnswers,
    saveAnswers: effects.saveAnswers,
    discardAnswers: effects.discardAnswers,
    notifyCompleted: effects.notifyCompleted,
    notifyDisconnected: effects.notifyDisconnected,
    notifyFailed: effects.notifyFailed,
  },
  delays: {
    backoff: ({ context }) => backoffMs(Math.max(1, context.failures), context.ports.random()),
    askAgain: ASK_AGAIN_MS,
    completingLimit: COMPLETING.longestMs,
    backHome: FORCED_DISCONNECT.redirectMs,
  },
});

/** The guards, actions and delays that the states of the visit chart use. */
export const chart = parts.extend({
  actions: {
    tellChildren: parts.enqueueActions(({ self, event, enqueue }) => {
      for (const child of childrenOf(self)) enqueue.sendTo(child, event);
    }),
    pauseChildren: parts.enqueueActions(({ self, enqueue }) => {
      for (const child of childrenOf(self)) enqueue.sendTo(child, { type: 'HIDDEN' });
    }),
    resumeChildren: parts.enqueueActions(({ self, context, enqueue }) => {
      if (isTimePaused(context)) return;
      for (const child of childrenOf(self)) enqueue.sendTo(child, { type: 'SHOWN' });
    }),
    tuneSong: parts.enqueueActions(({ context, enqueue }) => {
      const move = effects.songAction(context);
      if (move === null) return;
      enqueue((args) => effects.runSongAction(args, move));
      enqueue.assign({ songOn: move === 'start' });
    }),
    report: parts.enqueueActions(({ context, enqueue }) => {
      const position = effects.currentPosition(context);
      if (!effects.isNewPosition(context, position)) return;
      enqueue(() => context.ports.reportPosition(position));
      enqueue.assign({ reported: position });
    }),
    /** Reports the next stage before the screen shows it, so that a reload resumes after the tickets. */
    reportNext: parts.enqueueActions(({ context, enqueue }) => {
      const position = { step: context.step + 1, phrase: 0, second: 0 };
      enqueue(() => context.ports.reportPosition(position));
      enqueue.assign({ reported: position });
    }),
  },
});

/** offline: loading waits for the network. sending: answers are being sent. downloaded: the tickets were tapped. */
export type VisitTag = 'offline' | 'sending' | 'downloaded' | 'waiting' | 'gone';

/** Refusals that are temporary and never end the loading. */
const PASSING: ReadonlySet<RefusalCode> = new Set(['NETWORK', 'UNAVAILABLE', 'TOO_MANY_ATTEMPTS']);

function isOver({ visit, step }: VisitContext): boolean {
  return visit !== null && visit.complete && step >= visit.stages.length;
}

function isAnswered(context: VisitContext): boolean {
  const content = stageNow(context);
  return content !== undefined && answeredTrips(context).has(content.viaggio);
}

function ticketsOf(context: VisitContext): string | null {
  const content = stageNow(context);
  return content?.stage === 'card' ? content.biglietti_url : null;
}
