import type { ExitPoint } from '../../../domain/itinerary.ts';
import { HEARTBEAT_MS } from '../../../domain/limits.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { openEvents } from '../../api/live-events.ts';
import { heartbeat, resume } from '../../api/visit.ts';
import { toChart } from './calls.ts';
import { reportLeaving } from './report-leaving.ts';

/**
 * Connects the page to the server during a visit: heartbeat, event stream, reports of leaving and returning.
 * @param exitPoint the current exit point, or null before the first stage
 * @returns the function that disconnects them
 */
export function keepConnected(actor: VisitActor, exitPoint: () => ExitPoint | null): () => void {
  const disconnects = [
    beatWhileVisible(actor),
    listenLive(actor),
    reportLeaving(exitPoint),
    noticeReturning(actor),
  ];
  return () => {
    for (const end of disconnects) end();
  };
}

/** Sends a heartbeat every 30 s while the page is visible (spec 4). The server knows since when a page is hidden. */
function beatWhileVisible(actor: VisitActor): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void askState(actor);
  }, HEARTBEAT_MS);
  return () => clearInterval(timer);
}

/**
 * Listens to the event stream until the evening completes. The server then ends the stream and refuses a new one before the reply
 * arrives; Firefox would log that refusal as an error.
 */
function listenLive(actor: VisitActor): () => void {
  const close = openEvents('/api/visit/events', {
    message: (message) => {
      if (message.type === 'disconnected') actor.send({ type: 'DISCONNECTED', ...message.disconnection });
    },
    opened: () => void askState(actor),
  });
  const { unsubscribe } = actor.subscribe((snapshot) => {
    if (snapshot.matches({ evening: 'completing' })) close();
  });
  return () => {
    unsubscribe();
    close();
  };
}

/** Reads the visit's state by heartbeat, in case the event stream is blocked. */
async function askState(actor: VisitActor): Promise<void> {
  const answer = await toChart(heartbeat());
  if (!answer.ok) {
    if (answer.code === 'NO_VISIT') actor.send({ type: 'LOAD_FAILED', code: 'NO_VISIT' });
    return;
  }
  const { state, disconnection } = answer.value;
  if (state === 'ended') actor.send({ type: 'LOAD_FAILED', code: 'VISIT_ENDED' });
  if (state === 'disconnected' && disconnection !== null)
    actor.send({ type: 'DISCONNECTED', ...disconnection });
}

/** Resumes the session, or learns of its end, when the page is visible, restored or online again. */
function noticeReturning(actor: VisitActor): () => void {
  const comeBack = async () => {
    const result = await toChart(resume());
    if (result.ok) actor.send({ type: 'CONTENT', visit: result.value });
    else if (result.code === 'DISCONNECTED') {
      actor.send({ type: 'DISCONNECTED', reason: 'token_revoked', contatto: null, ...result.disconnection });
    } else if (result.code === 'NO_VISIT' || result.code === 'VISIT_ENDED')
      actor.send({ type: 'LOAD_FAILED', code: result.code });
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') void comeBack();
  };
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) void comeBack();
  };
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('pageshow', onPageShow);
  addEventListener('online', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('pageshow', onPageShow);
    removeEventListener('online', onVisibility);
  };
}
