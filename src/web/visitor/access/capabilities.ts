import type { Capability } from '../../../contract/visit.ts';
import { keysOf } from '../../../domain/records.ts';
import { isInAppBrowser } from './in-app/looks-in-app.ts';

/** Returns the browser's capabilities, detected by features where possible. */
export function capabilities(): Capability[] {
  const found: Record<Capability, boolean> = {
    in_app: isInAppBrowser(),
    full_screen: 'requestFullscreen' in document.documentElement,
    wake_lock: 'wakeLock' in navigator,
    media_session: 'mediaSession' in navigator,
    share_files: 'canShare' in navigator,
    storage: hasStorage(),
    navigation_api: 'navigation' in window,
    save_data: navigator.connection?.saveData === true,
  };
  return keysOf(found).filter((name) => found[name]);
}

/** Some web views have no storage, and some throw on access. */
function hasStorage(): boolean {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}
