import { keysOf } from '../../../../domain/records.ts';
import type { Values } from '../forms/merge-values.ts';

/**
 * What taking an idea back puts into the fields: what stood there before, where the idea still stands as it was taken. What somebody has made of
 * it since is theirs.
 * @returns `changed`: there is such a field
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
