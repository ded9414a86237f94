/** Keys that grant no permission or have their own function. */
const IGNORED_KEYS = new Set(['Escape', 'Tab', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);

/**
 * Calls `run` once, inside the visitor's next touch, click or key.
 * @returns the function that cancels it
 */
export function onNextGesture(run: () => void): () => void {
  const cancel = () => {
    document.removeEventListener('pointerup', act, true);
    document.removeEventListener('keydown', act, true);
  };
  const act = (event: Event) => {
    if (event instanceof KeyboardEvent && IGNORED_KEYS.has(event.key)) return;
    cancel();
    run();
  };
  document.addEventListener('pointerup', act, true);
  document.addEventListener('keydown', act, true);
  return cancel;
}
