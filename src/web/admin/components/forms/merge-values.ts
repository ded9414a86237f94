import { keysOf } from '../../../../domain/records.ts';
import { type FieldValue, sameValue } from './same-value.ts';

export type Values = Record<string, FieldValue>;

/** `conflicts`: fields that both changed, each in its own way; there `merged` has mine. */
export type Merged<V extends Values> = { merged: V; conflicts: (keyof V & string)[] };

/**
 * Brings together what two hands made of the same form: a field that only one of them changed is as that one left it.
 * @param base what both began with
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
