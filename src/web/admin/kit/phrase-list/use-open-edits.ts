import { useState, useSyncExternalStore } from 'react';
import { createOpenEdits, isWritten, type OpenEdit, type OpenEdits } from './open-edits.ts';

export type EditedList = Omit<OpenEdits, 'state' | 'subscribe'> & {
  edits: readonly OpenEdit[];
  /** Is there something that would be lost? */
  written: boolean;
};

/** The phrases of one list that are being rewritten. @param name names the draft */
export function useOpenEdits(name: string): EditedList {
  const [store] = useState(() => createOpenEdits(name));
  const edits = useSyncExternalStore(store.subscribe, store.state);
  const { open, write, close, forget } = store;
  return { edits, written: edits.some(isWritten), open, write, close, forget };
}
