import type { ExitPoint } from '../../../domain/itinerary.ts';
import { renewPageLoadId, trackUserExit } from '../../api/visit.ts';

/** A page visible this long after its exit report, in ms, is back. */
const RESTORED_MS = 1_000;

/**
 * Reports the page as hidden, or as left, which closes the session (spec 4 «Exit tracking»). Phones don't send `unload`. A page that is
 * left also becomes hidden. That is not reported: it could arrive first and make the exit report look outdated. A page that comes back
 * starts a new page load id: late requests of the old one don't count as presence.
 * @param exitPoint the current exit point, or null before the first stage
 * @returns the function that stops it
 */
export function reportLeaving(exitPoint: () => ExitPoint | null): () => void {
  let left = false;
  const report = (state: 'background' | 'closed') => {
    const point = exitPoint();
    if (point !== null) trackUserExit({ state, exitPoint: point });
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden' && !left) report('background');
    // Some web views restore a page without an event. A page that is being unloaded ends before this timer.
    if (document.visibilityState === 'visible' && left) setTimeout(onPageShow, RESTORED_MS);
  };
  const onPageHide = () => {
    left = true;
    report('closed');
  };
  const onPageShow = () => {
    if (left) renewPageLoadId();
    left = false;
  };
  const stop = new AbortController();
  document.addEventListener('visibilitychange', onVisibility, stop);
  addEventListener('pagehide', onPageHide, stop);
  addEventListener('pageshow', onPageShow, stop);
  return () => stop.abort();
}
