import type { VisitActor } from '../../../experience/visit-machine.ts';
import { isCovered, onCoverChange } from './opening.ts';

/** Can nobody see the evening: is the page hidden, or the letter still over it? */
export const isHidden = (): boolean => document.visibilityState === 'hidden' || isCovered();

/** Tells the chart what the page is: seen or hidden, and when its fonts are there. Returns the function that stops it. */
export function bindPageSignals(actor: VisitActor): () => void {
  const onVisibility = () => actor.send({ type: isHidden() ? 'HIDDEN' : 'SHOWN' });
  const unsubscribe = onCoverChange(onVisibility);
  document.addEventListener('visibilitychange', onVisibility);
  void document.fonts?.ready.then(() => actor.send({ type: 'FONTS_READY' }));
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
