import type { VisitActor } from '../../../experience/visit-machine.ts';
import { isCovered, onCoverChange } from './opening.ts';

/** Returns true if the evening is not visible: the page is hidden or the letter covers it. */
export const isHidden = (): boolean => document.visibilityState === 'hidden' || isCovered();

/**
 * Sends visibility and font readiness to the chart.
 * @returns the function that stops it
 */
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
