let guarding = false;
let wakeLock: Promise<WakeLockSentinel | undefined> | undefined;

/** While bytes leave this page, leaving it asks first, and the screen of a phone stays on: a sleeping phone sends nothing. */
export function guardLeaving(needed: boolean): void {
  if (needed === guarding) return;
  guarding = needed;
  if (needed) {
    addEventListener('beforeunload', askBeforeLeaving);
    document.addEventListener('visibilitychange', keepAwake);
    keepAwake();
  } else {
    removeEventListener('beforeunload', askBeforeLeaving);
    document.removeEventListener('visibilitychange', keepAwake);
    void wakeLock?.then((lock) => lock?.release());
    wakeLock = undefined;
  }
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** The lock is lost whenever the page is hidden. Without one the upload still resumes by itself. */
function keepAwake(): void {
  if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
  wakeLock = navigator.wakeLock.request('screen').catch(() => undefined);
}
