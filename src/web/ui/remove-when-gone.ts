/** A browser that tells of no animation's end has shown it by then, in milliseconds. */
const GONE_AFTER_MS = 4_000;

/** Takes a fading element off once its animation is over. */
export function removeAfterAnimation(element: HTMLElement): void {
  const remove = () => element.remove();
  element.addEventListener('animationend', ({ target }) => {
    if (target === element) remove();
  });
  setTimeout(remove, GONE_AFTER_MS);
}
