import type { ExitPoint } from '../../../domain/exit-points.ts';
import { trackUserExit } from '../../api/visit.ts';

/**
 * Hidden is a mark, leaving the page closes the session (spec 4 «Exit tracking»). Never `unload`: phones don't send it. A page that is left is
 * hidden, too, right after: that isn't said, or else it might arrive first and make the word of leaving an old one.
 * @param exitPoint where she would be leaving from now, or null before the first stage
 * @returns the function that ends it
 */
export function reportLeaving(exitPoint: () => ExitPoint | null): () => void {
  let last = 0;
  let left = false;
  const report = (state: 'background' | 'closed') => {
    const point = exitPoint();
    if (point === null) return;
    last = Math.max(last + 1, Date.now());
    trackUserExit({ state, exitPoint: point, timestamp: new Date().toISOString(), seq: last });
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden' && !left) report('background');
  };
  const onPageHide = () => {
    left = true;
    report('closed');
  };
  const onPageShow = () => {
    left = false;
  };
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('pagehide', onPageHide);
  addEventListener('pageshow', onPageShow);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('pagehide', onPageHide);
    removeEventListener('pageshow', onPageShow);
  };
}
