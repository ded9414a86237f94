/** Fallback in ms for browsers that report no animation end: every animation is over by then. */
const TIMEOUT_MS = 4_000;

/** Removes a fading element once its animation is over. */
export function removeAfterAnimation(element: HTMLElement): void {
  const remove = () => element.remove();
  element.addEventListener('animationend', ({ target }) => {
    if (target === element) remove();
  });
  setTimeout(remove, TIMEOUT_MS);
}
