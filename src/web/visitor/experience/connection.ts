import type { ExitPoint } from '../../../domain/exit-points.ts';
import { HEARTBEAT_MS } from '../../../domain/limits.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { openEvents } from '../../api/live-events.ts';
import { heartbeat, resume } from '../../api/visit.ts';
import { toChart } from './calls.ts';
import { reportLeaving } from './report-leaving.ts';

/**
 * What ties the page to the server while a visit lasts: the heartbeat, the live channel, the reports of leaving and of coming back.
 * @param exitPoint where she would be leaving from now, or null before the first stage
 * @returns the function that cuts them
 */
export function keepConnected(actor: VisitActor, exitPoint: () => ExitPoint | null): () => void {
  const cut = [beatWhileVisible(actor), listenLive(actor), reportLeaving(exitPoint), noticeReturning(actor)];
  return () => {
    for (const end of cut) end();
  };
}

/** Every 30 s while the page is seen (spec 4); hidden pages are silent, and the server knows since when. */
function beatWhileVisible(actor: VisitActor): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void askState(actor);
  }, HEARTBEAT_MS);
  return () => clearInterval(timer);
}

/**
 * Until the evening is being ended: the server then says goodbye, and refuses whoever asks again before its answer is here. That is no trouble,
 * but Firefox writes it to its console.
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

/** The heartbeat's answer carries the verdict, for when the live channel is blocked. */
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

/** Back in front, or back from the browser's memory: the same session is opened again, or its end is learnt. */
function noticeReturning(actor: VisitActor): () => void {
  const comeBack = async () => {
    const outcome = await toChart(resume());
    if (outcome.ok) actor.send({ type: 'CONTENT', visit: outcome.value });
    else if (outcome.code === 'DISCONNECTED') {
      actor.send({ type: 'DISCONNECTED', reason: 'token_revoked', contatto: null, ...outcome.disconnection });
    } else if (outcome.code === 'NO_VISIT' || outcome.code === 'VISIT_ENDED')
      actor.send({ type: 'LOAD_FAILED', code: outcome.code });
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
