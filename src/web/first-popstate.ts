/*
 * Listeners of one event run in the order in which they were added, in some browsers also those that capture: who must hear of a step in
 * history before the router has its place here, which main.tsx takes before there is a router.
 */
let listener: ((event: PopStateEvent) => void) | undefined;

addEventListener('popstate', (event) => listener?.(event), { capture: true });

/** Lets `first` hear of every step before anybody else, and stop it. Returns what ends that. */
export function onPopStateFirst(first: (event: PopStateEvent) => void): () => void {
  listener = first;
  return () => {
    if (listener === first) listener = undefined;
  };
}
