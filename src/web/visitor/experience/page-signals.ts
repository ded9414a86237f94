import type { VisitActor } from '../../../experience/visit-machine.ts';

/** Tells the chart what the page is: seen or hidden, and when its fonts are there. Returns the function that stops it. */
export function tellPageSignals(actor: VisitActor): () => void {
  const onVisibility = () => actor.send({ type: document.visibilityState === 'hidden' ? 'HIDDEN' : 'SHOWN' });
  document.addEventListener('visibilitychange', onVisibility);
  void document.fonts?.ready.then(() => actor.send({ type: 'FONTS_READY' }));
  return () => document.removeEventListener('visibilitychange', onVisibility);
}
