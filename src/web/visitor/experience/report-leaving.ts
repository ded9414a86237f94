import type { ExitPoint } from '../../../domain/exit-points.ts';
import { renewPageLoadId, trackUserExit } from '../../api/visit.ts';

/** A page that is seen so long after its farewell, in milliseconds, is back. */
const ALIVE_AFTER_MS = 1_000;

/**
 * Hidden is a mark, leaving the page closes the session (spec 4 «Exit tracking»). Never `unload`: phones don't send it. A page that is left is
 * hidden, too, right after: that isn't said, or else it might arrive first and make the word of leaving an old one. Who said farewell and
 * comes back begins a new life: what is still under way from the old one is no sign of her.
 * @param exitPoint where she would be leaving from now, or null before the first stage
 * @returns the function that ends it
 */
export function reportLeaving(exitPoint: () => ExitPoint | null): () => void {
  let left = false;
  const report = (state: 'background' | 'closed') => {
    const point = exitPoint();
    if (point !== null) trackUserExit({ state, exitPoint: point });
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden' && !left) report('background');
    // Some web views bring a page back without a word. One that is on its way out doesn't live so long.
    if (document.visibilityState === 'visible' && left) setTimeout(onPageShow, ALIVE_AFTER_MS);
  };
  const onPageHide = () => {
    left = true;
    report('closed');
  };
  const onPageShow = () => {
    if (left) renewPageLoadId();
    left = false;
  };
  const over = new AbortController();
  document.addEventListener('visibilitychange', onVisibility, over);
  addEventListener('pagehide', onPageHide, over);
  addEventListener('pageshow', onPageShow, over);
  return () => over.abort();
}
