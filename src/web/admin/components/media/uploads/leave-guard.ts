let guarding = false;
let wakeLock: Promise<WakeLockSentinel | undefined> | undefined;

/** While bytes are sent, confirms leaving the page and keeps a phone's screen on, because a sleeping phone sends nothing. */
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

/** The browser drops the lock when the page is hidden. Without a lock, the upload still resumes automatically. */
function keepAwake(): void {
  if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
  wakeLock = navigator.wakeLock.request('screen').catch(() => undefined);
}
