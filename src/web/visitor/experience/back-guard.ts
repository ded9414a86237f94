import { onPopStateFirst } from '../../first-popstate.ts';

/**
 * Neutralises the browser's back action during the evening. Needs a history entry pushed in a tap, because browsers skip others. The
 * entry tap pushed one; a reloaded page gets it with its first tap. The Navigation API can cancel a step, but only one per tap. Other
 * steps are undone by going forward, since an entry pushed now would have no tap. The router receives no event.
 * @param onNeutralised called for each neutralised step
 * @returns the function that removes the guard
 */
export function guardBack(onNeutralised?: () => void): () => void {
  const place = location.href;
  let guardIndex = index() > 0 ? index() : null;
  let key = currentKey();

  const onPopState = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    const steps = guardIndex === null ? Number(location.href !== place) : guardIndex - index();
    if (steps <= 0) return;
    history.go(steps);
    onNeutralised?.();
  };
  const onTap = () => {
    if (guardIndex !== null) return;
    guardIndex = index() + 1;
    history.pushState({ ...history.state, idx: guardIndex }, '', place);
    key = currentKey();
  };
  const onNavigate = (event: NavigateEvent) => {
    // Going forward is a history step as well.
    const home = event.destination.key === key;
    if (event.navigationType !== 'traverse' || !event.cancelable || home) return;
    event.preventDefault();
    onNeutralised?.();
  };

  const removePopState = onPopStateFirst(onPopState);
  addEventListener('pointerup', onTap, { capture: true });
  window.navigation?.addEventListener('navigate', onNavigate);
  return () => {
    removePopState();
    removeEventListener('pointerup', onTap, { capture: true });
    window.navigation?.removeEventListener('navigate', onNavigate);
  };
}

/** Returns the router's count of this tab's entries, which must continue. */
function index(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}

function currentKey(): string | undefined {
  return window.navigation?.currentEntry?.key;
}
