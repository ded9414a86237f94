/** A soft tick under the finger, on phones that have one. Before the first tap there is none to be felt: a browser would complain. */
export function hapticTick(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(9);
}
