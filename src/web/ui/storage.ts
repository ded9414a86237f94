/* Browser storage that persists between pages. If it is disabled, full or forbidden, reads return null and writes do nothing. */

/** `localStorage`, or this tab's `sessionStorage`. */
export type StorageArea = 'localStorage' | 'sessionStorage';

/** Returns the stored text, or null. */
export function readStored(area: StorageArea, key: string): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns the stored value parsed from JSON; null also for invalid JSON. */
export function readStoredJson(area: StorageArea, key: string): unknown {
  try {
    return JSON.parse(readStored(area, key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. */
export function writeStored(area: StorageArea, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
  } catch {
    // Without storage the caller's value lasts as long as the page.
  }
}
