/** Keys that grant no permission or have their own function. */
const NOT_A_YES = new Set(['Escape', 'Tab', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);

/**
 * Calls `run` once, inside the visitor's next touch, click or key.
 * @returns the function that cancels it
 */
export function onNextGesture(run: () => void): () => void {
  const forget = () => {
    document.removeEventListener('pointerup', act, true);
    document.removeEventListener('keydown', act, true);
  };
  const act = (event: Event) => {
    if (event instanceof KeyboardEvent && NOT_A_YES.has(event.key)) return;
    forget();
    run();
  };
  document.addEventListener('pointerup', act, true);
  document.addEventListener('keydown', act, true);
  return forget;
}
