import { createActor } from 'xstate';
import { exitPointOf } from '../../../experience/selectors.ts';
import { type VisitActor, visitMachine } from '../../../experience/visit-machine.ts';
import { keepConnected } from './connection.ts';
import { bindPageSignals, isHidden } from './page-signals.ts';
import { type Media, visitPorts } from './visit-ports.ts';

export type RunningVisit = { actor: VisitActor; stop: () => void };

/** Starts the evening: the chart with its real effects, connected to the page and to the server. */
export function startVisit(media: Media): RunningVisit {
  let actor: VisitActor | undefined;
  const running = (): VisitActor => {
    if (actor === undefined) throw new Error('the chart spoke before it began');
    return actor;
  };
  const { ports, outbox } = visitPorts(running, media);
  actor = createActor(visitMachine, {
    input: { ports, hidden: isHidden(), fontsReady: document.fonts?.status === 'loaded' },
  });
  actor.start();

  const started = actor;
  const stops = [
    bindPageSignals(started),
    keepConnected(started, () => exitPointOf(started.getSnapshot())),
    nudgeWhenBack(() => {
      outbox.flushNow();
      started.send({ type: 'RETRY' });
    }),
    outbox.close,
  ];
  return {
    actor: started,
    stop: () => {
      for (const end of stops) end();
      started.stop();
    },
  };
}

/** Calls `nudge` when the network or the visitor is back, so that pending retries run at once. */
function nudgeWhenBack(nudge: () => void): () => void {
  addEventListener('online', nudge);
  document.addEventListener('visibilitychange', nudge);
  return () => {
    removeEventListener('online', nudge);
    document.removeEventListener('visibilitychange', nudge);
  };
}
