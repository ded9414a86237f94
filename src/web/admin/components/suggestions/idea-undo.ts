import { keysOf } from '../../../../domain/records.ts';
import type { Values } from '../forms/merge-values.ts';

/**
 * Returns the values that undo a suggestion: the earlier text of each field that still has the suggested text. Edited fields
 * stay.
 * @returns `changed`: true if a field was edited
 */
export function undoSuggestion<V extends Values>(
  idea: Partial<V>,
  before: Partial<V>,
  now: Partial<V>,
): { back: Partial<V>; changed: boolean } {
  const same = keysOf(idea).filter((field) => now[field] === idea[field]);
  const back: Partial<V> = {};
  for (const field of same) back[field] = before[field];
  return { back, changed: same.length < keysOf(idea).length };
}
