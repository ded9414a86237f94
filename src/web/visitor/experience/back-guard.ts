/**
 * Neutralises the browser's back action while the evening lasts. The entry to hold on to was pushed in the tap that entered
 * (browsers skip entries made without one); here a step back is taken back, once each, so that history never grows.
 * It goes before the router: `popstate` listeners in the capture phase run first.
 * @param entered whether that tap happened in this history (a page opened anew has nothing to hold on to until the next tap)
 * @returns the function that lets go
 */
export function guardBack(entered: boolean): () => void {
  const place = location.href;
  let holding = entered;

  const onPopState = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    if (location.href === place) return;
    history.go(1);
  };
  const onTap = () => {
    if (holding) return;
    holding = true;
    history.pushState(history.state, '', place);
  };
  const onNavigate = (event: Event) => {
    const { navigationType, cancelable } = event as NavigateEvent;
    if (navigationType === 'traverse' && cancelable) event.preventDefault();
  };

  addEventListener('popstate', onPopState, { capture: true });
  addEventListener('pointerup', onTap, { capture: true });
  window.navigation?.addEventListener('navigate', onNavigate);
  return () => {
    removeEventListener('popstate', onPopState, { capture: true });
    removeEventListener('pointerup', onTap, { capture: true });
    window.navigation?.removeEventListener('navigate', onNavigate);
  };
}
