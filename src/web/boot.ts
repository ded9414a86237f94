/*
 * The painted page first: its scripts are asked for when it has been seen, so that they don't compete with it for a phone's
 * network and processor. What is typed or tapped before they are there stays typed, and a tap does nothing.
 */

/** For browsers that don't tell when they have painted, and for pages opened in the background: milliseconds. */
const AT_LAST_MS = 700;

let started = false;

function start(): void {
  if (started) return;
  started = true;
  void import('./main.tsx');
}

if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) start();
else {
  new PerformanceObserver(() => setTimeout(start)).observe({ type: 'paint', buffered: true });
  setTimeout(start, AT_LAST_MS);
}
