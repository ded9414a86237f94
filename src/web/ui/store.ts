export type Store<State> = {
  state(): State;
  /**
   * Calls `listener` after every `set`.
   * @returns the function that stops it
   */
  subscribe(listener: () => void): () => void;
  set(next: State): void;
};

/** Creates an observable value for `useSyncExternalStore(store.subscribe, store.state)`. */
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
