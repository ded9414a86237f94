import { keysOf } from '../../../../domain/records.ts';
import { type FieldValue, sameValue } from './same-value.ts';

export type Values = Record<string, FieldValue>;

/** `conflicts`: fields that both sides changed differently; `merged` has mine there. */
export type Merged<V extends Values> = { merged: V; conflicts: (keyof V & string)[] };

/**
 * Merges two edits of one form. A field changed on one side takes that side's value.
 * @param base the values both edits started from
 */
export function mergeValues<V extends Values>(base: V, mine: V, theirs: V): Merged<V> {
  const merged = { ...theirs };
  const conflicts: Merged<V>['conflicts'] = [];
  for (const field of keysOf(mine)) {
    if (sameValue(mine[field], base[field])) continue;
    const both = !sameValue(theirs[field], base[field]) && !sameValue(theirs[field], mine[field]);
    if (both) conflicts.push(field);
    merged[field] = mine[field];
  }
  return { merged, conflicts };
}
