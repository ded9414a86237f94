import { reloadOnce } from './reload.ts';

/*
 * Loads the scripts after the first paint, so that they don't compete with it for network and processor. Text typed before they run is
 * preserved; a code sent before waits for them.
 */

/** Longest wait for the paint event, in ms. */
const PAINT_TIMEOUT_MS = 2_500;
/** Wait between two attempts to load the scripts, in ms. */
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

/** Marks that the form was sent early; the form sends itself again after hydration (visitor/access/code-form.tsx). */
function remember(): void {
  const { dataset } = document.documentElement;
  dataset.form ??= 'early';
  void start();
}

addEventListener('submit', remember);
// A page opened in the background does not paint.
if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) void start();
else {
  new PerformanceObserver(() => void start()).observe({ type: 'paint', buffered: true });
  setTimeout(() => void start(), PAINT_TIMEOUT_MS);
}
