/*
 * Listeners of one event run in the order of registration, in some browsers even capturing ones. A listener that must precede the router
 * therefore registers here: main.tsx imports this module before it creates the router.
 */
let listener: ((event: PopStateEvent) => void) | undefined;

addEventListener('popstate', (event) => listener?.(event), { capture: true });

/**
 * Calls `first` on every history step before all other listeners; it may stop the event.
 * @returns the function that removes it
 */
export function onPopStateFirst(first: (event: PopStateEvent) => void): () => void {
  listener = first;
  return () => {
    if (listener === first) listener = undefined;
  };
}
