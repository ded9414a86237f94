import { createStore } from '../../../ui/store.ts';
import { saveWithRetry } from '../../components/forms/save-merging.ts';

export type AutosaveState<D> = {
  /** The value on the screen. */
  value: D;
  /** The value last stored. */
  saved: D;
  versione: number;
  saving: boolean;
  /** Error of the last save; null after a success. */
  error: unknown;
  /** Callbacks for the next completed save. */
  waiting: (() => void)[];
};

export type AutosavePorts<D> = {
  read: () => Promise<{ value: D; versione: number }>;
  save: (value: D, versione: number) => Promise<{ versione: number }>;
  same: (one: D, other: D) => boolean;
  merge: (base: D, mine: D, theirs: D) => D;
  onFailed: (error: unknown) => void;
};

type State<D> = { get: () => AutosaveState<D>; set: (change: Partial<AutosaveState<D>>) => void };

/** Pause in typing after which the value is saved, in ms. */
const DEBOUNCE_MS = 1_000;

/**
 * Saves a value automatically after each change, one save at a time, so that saves never race for a version. Changes during a
 * save go with the next. A stale save is merged with the stored value and repeated. After a failure the value stays until `flush`
 * or the next change.
 */
export function createAutosave<D>(start: { value: D; versione: number }, ports: AutosavePorts<D>) {
  const { value, versione } = start;
  const shown = createStore<AutosaveState<D>>({
    value,
    saved: value,
    versione,
    saving: false,
    error: null,
    waiting: [],
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const get = shown.state;
  const set = (change: Partial<AutosaveState<D>>) => shown.set({ ...get(), ...change });
  const flushNow = () => {
    clearTimeout(timer);
    void flush({ get, set }, ports);
  };
  return {
    state: get,
    subscribe: shown.subscribe,
    /** @param onSaved called when this change is stored */
    change(next: (value: D) => D, onSaved: () => void): void {
      set({ value: next(get().value), waiting: [...get().waiting, onSaved] });
      flushNow();
    },
    /** Changes the value while typing; saves after a pause. */
    write(next: (value: D) => D): void {
      set({ value: next(get().value) });
      clearTimeout(timer);
      timer = setTimeout(flushNow, DEBOUNCE_MS);
    },
    /** Saves unsaved changes now. */
    flush: flushNow,
    /** Takes a newer stored value, unless there are unsaved changes. */
    adopt(value: D, versione: number): void {
      const current = get();
      const clean = !current.saving && current.error === null && ports.same(current.value, current.saved);
      if (clean && versione > current.versione) set({ value, saved: value, versione });
    },
  };
}

async function flush<D>(state: State<D>, ports: AutosavePorts<D>): Promise<void> {
  if (state.get().saving) return;
  state.set({ saving: true });
  try {
    while (isUnsaved(state, ports))
      await saveWithRetry(
        () => saveOnce(state, ports),
        () => catchUp(state, ports),
      );
    state.set({ saving: false, error: null });
  } catch (error) {
    state.set({ saving: false, error });
    ports.onFailed(error);
  }
}

function isUnsaved<D>({ get }: State<D>, { same }: AutosavePorts<D>): boolean {
  return get().waiting.length > 0 || !same(get().value, get().saved);
}

/** Saves once; a merge may have left nothing to save. */
async function saveOnce<D>(state: State<D>, ports: AutosavePorts<D>): Promise<void> {
  if (!isUnsaved(state, ports)) return;
  const { value, versione, waiting } = state.get();
  const done = await ports.save(value, versione);
  state.set({ saved: value, versione: done.versione, waiting: state.get().waiting.slice(waiting.length) });
  for (const notify of waiting) notify();
}

/** Reads the stored value and merges the unsaved changes into it. */
async function catchUp<D>({ get, set }: State<D>, { read, merge }: AutosavePorts<D>): Promise<void> {
  const theirs = await read();
  const value = merge(get().saved, get().value, theirs.value);
  set({ value, saved: theirs.value, versione: theirs.versione });
}
