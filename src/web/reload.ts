import { keep, readKept } from './ui/storage.ts';

/* An update takes away the files of the build before. A page that is still open loads itself anew when it misses one (decision 103). */

/** The builds whose pages were loaded anew in this tab. */
const RELOADED = 'reloaded';
const CODE = 'typed-code';
/** How long the server may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Returns true if the server answers with a page of another build. */
export async function isOutdated(): Promise<boolean> {
  const page = await fetchPage();
  return page !== null && !page.includes(ownScript());
}

/**
 * Loads the page anew after code of it could not be fetched: once for each build, and only where the server answers and nothing unsaved is lost.
 * A typed code stays. Returns true if the page is about to go.
 */
export async function reloadOnce(): Promise<boolean> {
  const before = readKept('sessionStorage', RELOADED) ?? '';
  const now = `${before} ${ownScript()}`;
  if (before.includes(ownScript()) || (await fetchPage()) === null || isGuarded()) return false;
  keep('sessionStorage', RELOADED, now);
  // Without storage nothing would tell the second time from the first.
  if (readKept('sessionStorage', RELOADED) !== now) return false;
  keep('sessionStorage', CODE, document.querySelector<HTMLInputElement>('#codice')?.value || null);
  location.reload();
  return true;
}

/** Returns the code that was typed before the page was loaded anew, once; else null. */
export function takeTypedCode(): string | null {
  const code = readKept('sessionStorage', CODE);
  keep('sessionStorage', CODE, null);
  return code;
}

/** The address of the page's first script: every build has another. */
function ownScript(): string {
  return document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';
}

/** The page as the server has it now; null without an answer. */
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

/** Returns true if leaving would be asked about: text that isn't saved, files on their way. */
function isGuarded(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
