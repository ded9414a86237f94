import { createOutbox, type Outbox } from '../../../experience/outbox.ts';
import type { ExperiencePorts } from '../../../experience/ports.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { answers, complete, position, reportError, resume, trackUserExit } from '../../api/visit.ts';
import { orTimeout } from '../../ui/waiting.ts';
import { takeInitialVisit } from '../first-visit.ts';
import { answerStore } from './answer-store.ts';
import { toChart } from './calls.ts';
import { noticePort } from './notices.ts';

export type Media = Pick<ExperiencePorts, 'song' | 'video'>;

/** Returns the chart's effects in a real page. `actor` is called only to send an event. */
export function visitPorts(
  actor: () => VisitActor,
  media: Media,
): { ports: ExperiencePorts; outbox: Outbox } {
  const outbox = createOutbox({
    send: (place) => toChart(position(place)),
    later: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    onEvent: (event) => actor().send(event),
  });
  const ports: ExperiencePorts = {
    now: () => performance.now(),
    random: Math.random,
    resume: async () => {
      const first = takeInitialVisit();
      return first === null ? toChart(resume()) : { ok: true, value: first };
    },
    sendAnswers: async (tripAnswers) => {
      await orTimeout(outbox.whenIdle(), POSITION_TIMEOUT_MS);
      return toChart(answers(tripAnswers));
    },
    complete: async () => {
      await orTimeout(outbox.whenIdle(), POSITION_TIMEOUT_MS);
      return toChart(complete());
    },
    reportPosition: outbox.report,
    trackExit: (exitPoint) => trackUserExit({ state: 'open', exitPoint }),
    reportError: (kind) => void reportError(kind),
    notify: noticePort(),
    answerStore: answerStore(),
    ...media,
  };
  return { ports, outbox };
}

/** Longest wait in ms for a pending position report before answers are sent. They may overtake one that can't be delivered. */
const POSITION_TIMEOUT_MS = 3_000;
