import { createActor } from 'xstate';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import type { Position } from '../../../domain/stage-content.ts';
import { createOutbox, type Outbox } from '../../../experience/outbox.ts';
import type { AnswerStore, ChosenAnswers, ExperiencePorts } from '../../../experience/ports.ts';
import { type VisitActor, visitMachine } from '../../../experience/visit-machine.ts';
import { experienceMedia } from '../experience/media.ts';
import { noticePort } from '../experience/notices.ts';
import { bindPageSignals } from '../experience/page-signals.ts';
import { createLocalVisit, type LocalVisit } from './local-visit.ts';

export type RunningLocally = { actor: VisitActor; stop: () => void };

/**
 * Starts the evening like `startVisit`, on the same chart and media. The page answers the server's calls, reports nothing and stores
 * nothing.
 * @param pace time factor of a rehearsal; null for a visitor's times, without skipping
 */
export function startLocalVisit(content: Snapshot, from: Position, pace: number | null): RunningLocally {
  let actor: VisitActor | undefined;
  const visit = createLocalVisit(content, from);
  const outbox = createOutbox({
    send: async (place) => visit.position(place),
    // Calls are answered at once, so nothing is retried.
    later: () => () => undefined,
    random: Math.random,
    onEvent: (event) => actor?.send(event),
  });
  actor = createActor(visitMachine, {
    input: {
      ports: portsOf(visit, outbox),
      hidden: document.visibilityState === 'hidden',
      fontsReady: document.fonts?.status === 'loaded',
      ...(pace !== null && { rehearsal: { speed: pace } }),
    },
  });
  actor.start();
  const started = actor;
  const unbindSignals = bindPageSignals(started);
  return {
    actor: started,
    stop: () => {
      unbindSignals();
      outbox.close();
      started.stop();
    },
  };
}

function portsOf(visit: LocalVisit, outbox: Outbox): ExperiencePorts {
  return {
    now: () => performance.now(),
    random: Math.random,
    resume: async () => visit.resume(),
    sendAnswers: async (tripAnswers) => {
      await outbox.whenIdle();
      return visit.answers(tripAnswers);
    },
    complete: async () => {
      await outbox.whenIdle();
      return visit.complete();
    },
    reportPosition: outbox.report,
    trackExit: () => undefined,
    reportError: () => undefined,
    notify: noticePort(),
    answerStore: memoryStore(),
    ...experienceMedia(),
  };
}

/** Stores answers in the page only; those of a real visit in this browser stay unchanged. */
function memoryStore(): AnswerStore {
  const storedAnswers = new Map<Viaggio, ChosenAnswers>();
  return {
    load: (_session, viaggio) => storedAnswers.get(viaggio) ?? {},
    save: (_session, viaggio, chosen) => void storedAnswers.set(viaggio, chosen),
    clear: (_session, viaggio) => void storedAnswers.delete(viaggio),
  };
}
