import { useState } from 'react';
import type { Values } from './merge-values.ts';
import { sameValues } from './same-value.ts';
import type { Versioned } from './save-merging.ts';

type Field<V> = keyof V & string;
/** The record saved elsewhere, and the fields changed on both sides that are still to choose. */
export type Conflict<R, V> = { record: R; fields: Field<V>[] };

/**
 * Handles the choices between two texts that a conflict requires.
 * @param set puts values into the form
 * @param onChosen called after the last choice, with the stored record and the values still to save (null: none)
 */
export function useConflicts<R extends Versioned, V extends Values>(
  toValues: (record: R) => V,
  set: (values: V) => void,
  onChosen: (record: R, unsaved: V | null) => void,
) {
  const [conflict, ask] = useState<Conflict<R, V>>();
  function choose(mine: V, field: Field<V>, whose: 'mine' | 'theirs'): void {
    if (conflict === undefined) return;
    const theirs = toValues(conflict.record);
    const next = whose === 'mine' ? mine : { ...mine, [field]: theirs[field] };
    set(next);
    const fields = conflict.fields.filter((other) => other !== field);
    ask(fields.length > 0 ? { ...conflict, fields } : undefined);
    if (fields.length === 0) onChosen(conflict.record, sameValues(next, theirs) ? null : next);
  }
  const open = conflict && { fields: conflict.fields, theirs: toValues(conflict.record) };
  return { conflict: open, ask, choose };
}
