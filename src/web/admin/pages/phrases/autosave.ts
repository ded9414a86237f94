import { isRefusal } from '../../failure.ts';

export type AutosaveState<D> = {
  /** As it is on the screen. */
  value: D;
  /** As it is stored, as far as we know. */
  saved: D;
  versione: number;
  saving: boolean;
  /** Why the last save failed, until one succeeds. */
  error: unknown;
  /** Told when what changed is stored. */
  waiting: (() => void)[];
};

export type AutosavePorts<D> = {
  read: () => Promise<{ value: D; versione: number }>;
  save: (value: D, versione: number) => Promise<{ versione: number }>;
  same: (one: D, other: D) => boolean;
  merge: (base: D, mine: D, theirs: D) => D;
  onFailed: (error: unknown) => void;
};

type Store<D> = { get: () => AutosaveState<D>; set: (change: Partial<AutosaveState<D>>) => void };

/** Between two keys somebody may still be writing, in milliseconds. */
const WRITING_MS = 1_000;
/** So often in a row somebody else may be quicker before we give up. */
const TRIES = 5;

/**
 * Saves a value by itself after every change, one save after the other: what changes while one is on its way goes with the next, so no
 * two ever race for a version. A stale save is merged with what is there and repeated. After a failure the value stays and waits for
 * `retry` or the next change.
 */
export function createAutosave<D>(start: { value: D; versione: number }, ports: AutosavePorts<D>) {
  const { value, versione } = start;
  let state: AutosaveState<D> = { value, saved: value, versione, saving: false, error: null, waiting: [] };
  const listeners = new Set<() => void>();
  let writing: ReturnType<typeof setTimeout> | undefined;
  const store: Store<D> = {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
  };
  const flushNow = () => {
    clearTimeout(writing);
    void flush(store, ports);
  };
  return {
    state: store.get,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** @param onSaved called when this change is stored */
    change(next: (value: D) => D, onSaved: () => void): void {
      store.set({ value: next(state.value), waiting: [...state.waiting, onSaved] });
      flushNow();
    },
    /** A change in the middle of many: it is saved when no other has followed for a moment. */
    write(next: (value: D) => D): void {
      store.set({ value: next(state.value) });
      clearTimeout(writing);
      writing = setTimeout(flushNow, WRITING_MS);
    },
    /** Saves what is unsaved now. */
    flush: flushNow,
    /** A newer reading: taken where nothing is unsaved. */
    adopt(value: D, versione: number): void {
      const clean = !state.saving && state.error === null && ports.same(state.value, state.saved);
      if (clean && versione > state.versione) store.set({ value, saved: value, versione });
    },
  };
}

async function flush<D>(store: Store<D>, ports: AutosavePorts<D>): Promise<void> {
  if (store.get().saving) return;
  store.set({ saving: true });
  try {
    await saveAll(store, ports);
    store.set({ saving: false, error: null });
  } catch (error) {
    store.set({ saving: false, error });
    ports.onFailed(error);
  }
}

async function saveAll<D>({ get, set }: Store<D>, ports: AutosavePorts<D>): Promise<void> {
  let stale = 0;
  while (get().waiting.length > 0 || !ports.same(get().value, get().saved)) {
    const { value, versione, waiting } = get();
    try {
      const done = await ports.save(value, versione);
      set({ saved: value, versione: done.versione, waiting: get().waiting.slice(waiting.length) });
      for (const tell of waiting) tell();
      stale = 0;
    } catch (error) {
      if (!isRefusal(error, 'STALE_VERSION') || ++stale === TRIES) throw error;
      await catchUp({ get, set }, ports);
    }
  }
}

/** Takes up what somebody else saved, and keeps what is unsaved here. */
async function catchUp<D>({ get, set }: Store<D>, { read, merge }: AutosavePorts<D>): Promise<void> {
  const theirs = await read();
  const value = merge(get().saved, get().value, theirs.value);
  set({ value, saved: theirs.value, versione: theirs.versione });
}
