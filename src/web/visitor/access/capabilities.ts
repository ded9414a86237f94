import type { Capability } from '../../../domain/capabilities.ts';
import { keysOf } from '../../../domain/records.ts';
import { isInAppBrowser } from './in-app/looks-in-app.ts';

/** What this browser can do; asked, not guessed from its name. */
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

/** Some web views have none, and some throw when asked. */
function hasStorage(): boolean {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}
