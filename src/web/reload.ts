import { readStored, writeStored } from './ui/storage.ts';

/* An update removes assets of old builds after a while. An open page that can't load one of its chunks reloads (decision 103). */

/** Key of the builds whose pages were reloaded in this tab. */
const RELOADED = 'reloaded';
const CODE = 'typed-code';
/** Timeout of the request for the current page, in ms. */
const TIMEOUT_MS = 5_000;

/** Returns true if the server answers with a page of another build. */
export async function isOutdated(): Promise<boolean> {
  const page = await fetchPage();
  return page !== null && !page.includes(ownScript());
}

/**
 * Reloads the page after a chunk could not be loaded: once per build, and only if the server answers and nothing unsaved would be lost.
 * Keeps a typed code. Returns true if the page is reloading.
 */
export async function reloadOnce(): Promise<boolean> {
  const before = readStored('sessionStorage', RELOADED) ?? '';
  const now = `${before} ${ownScript()}`;
  if (before.includes(ownScript()) || (await fetchPage()) === null || isGuarded()) return false;
  writeStored('sessionStorage', RELOADED, now);
  // Without storage a second reload could not be detected.
  if (readStored('sessionStorage', RELOADED) !== now) return false;
  writeStored('sessionStorage', CODE, document.querySelector<HTMLInputElement>('#codice')?.value || null);
  location.reload();
  return true;
}

/** Returns the code that was typed before the reload, the first time it is called; else null. */
export function takeTypedCode(): string | null {
  const code = readStored('sessionStorage', CODE);
  writeStored('sessionStorage', CODE, null);
  return code;
}

/** Returns the address of the page's first script, which differs between builds. */
function ownScript(): string {
  return document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';
}

/** Fetches the current page; null if the server doesn't answer. */
async function fetchPage(): Promise<string | null> {
  try {
    const response = await fetch(location.href, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** Returns true if leaving needs a confirmation: unsaved text, running uploads. */
function isGuarded(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
