export type Store<State> = {
  state(): State;
  /** Calls back whenever the state becomes another. @returns the function that stops it */
  subscribe(listener: () => void): () => void;
  set(next: State): void;
};

/** A value that tells when it becomes another; `useSyncExternalStore(store.subscribe, store.state)` shows it. */
export function createStore<State>(initial: State): Store<State> {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(next) {
      state = next;
      for (const listener of listeners) listener();
    },
  };
}
