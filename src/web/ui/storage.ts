/* What a browser keeps between pages. It may be switched off, full or forbidden, and some throw when asked: then there is none. */

/** `localStorage`, or this tab's `sessionStorage`. */
export type StorageArea = 'localStorage' | 'sessionStorage';

/** What is kept under a key, or null. */
export function readStored(where: StorageArea, key: string): string | null {
  try {
    return globalThis[where].getItem(key);
  } catch {
    return null;
  }
}

/** The same out of its JSON; null also where it is none. */
export function readStoredJson(where: StorageArea, key: string): unknown {
  try {
    return JSON.parse(readStored(where, key) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a text under a key; null forgets it. */
export function writeStored(where: StorageArea, key: string, text: string | null): void {
  try {
    if (text === null) globalThis[where].removeItem(key);
    else globalThis[where].setItem(key, text);
  } catch {
    // Then it lives as long as the page.
  }
}
