import { reloadOnce } from './reload.ts';

/*
 * The painted page first: its scripts are asked for when it has been seen, so that they don't compete with it for a phone's
 * network and processor. What is typed before they are there stays typed; a code sent before them waits for them.
 */

/** The longest wait for the word that the page is painted, in milliseconds. */
const AT_LAST_MS = 2_500;
/** Between two tries to fetch the scripts, in milliseconds. */
const RETRY_MS = 2_000;

let started = false;
let failed = false;

async function start(): Promise<void> {
  if (started) return;
  started = true;
  try {
    await import('./main.tsx');
  } catch {
    if (failed && (await reloadOnce())) return;
    failed = true;
    started = false;
    setTimeout(() => void start(), RETRY_MS);
  }
}

/** The form finds the mark when it comes alive (early-submit.ts) and sends itself. */
function remember(): void {
  const { dataset } = document.documentElement;
  dataset.form ??= 'early';
  void start();
}

addEventListener('submit', remember);
// A page opened in the background paints nothing and has nothing to wait for.
if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) void start();
else {
  new PerformanceObserver(() => void start()).observe({ type: 'paint', buffered: true });
  setTimeout(() => void start(), AT_LAST_MS);
}
