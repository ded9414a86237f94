import { onPopStateFirst } from '../../first-popstate.ts';

/**
 * Neutralises the browser's back action while the evening lasts, however often it is pressed. The entry to hold on to was pushed in the tap
 * that entered (browsers skip entries made without one); a page opened anew has nothing behind it until its first tap. Where there is the
 * Navigation API a step is refused; it lets only one through to be refused for each tap, so every other is taken back when it has been
 * made: by going forth again, for an entry pushed now would be made without a tap. The router hears of none of them.
 * @param told called for each step that was neutralised
 * @returns the function that lets go
 */
export function guardBack(told?: () => void): () => void {
  const place = location.href;
  let held = index() > 0 ? index() : null;
  let key = currentKey();

  const onPopState = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    const steps = held === null ? Number(location.href !== place) : held - index();
    if (steps <= 0) return;
    history.go(steps);
    told?.();
  };
  const onTap = () => {
    if (held !== null) return;
    held = index() + 1;
    history.pushState({ ...history.state, idx: held }, '', place);
    key = currentKey();
  };
  const onNavigate = (event: NavigateEvent) => {
    // Our own way forth is a step in history, too.
    const home = event.destination.key === key;
    if (event.navigationType !== 'traverse' || !event.cancelable || home) return;
    event.preventDefault();
    told?.();
  };

  const unhear = onPopStateFirst(onPopState);
  addEventListener('pointerup', onTap, { capture: true });
  window.navigation?.addEventListener('navigate', onNavigate);
  return () => {
    unhear();
    removeEventListener('pointerup', onTap, { capture: true });
    window.navigation?.removeEventListener('navigate', onNavigate);
  };
}

/** The router's own count of this tab's entries: it must go on counting. */
function index(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0;
}

function currentKey(): string | undefined {
  return window.navigation?.currentEntry?.key;
}
