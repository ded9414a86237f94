/** Vibrates briefly on phones that support it. Before the first tap browsers forbid it and log an error. */
export function hapticTick(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(9);
}
