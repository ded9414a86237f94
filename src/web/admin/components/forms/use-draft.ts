import { useCallback, useEffect, useState } from 'react';
import { readStoredJson, writeStored } from '../../../ui/storage.ts';
import { sameValues, type Values } from './merge.ts';

/** Typed values, the values before them, and the record's version. */
export type Draft<V extends Values> = { values: V; before: V; versione: number };

/**
 * Stores typed values as a draft for a reload, and offers the draft of an earlier page load.
 * @param current the form's present state
 */
export function useDraft<V extends Values>(name: string, current: Draft<V>) {
  const { values, before } = current;
  const [offered, setOffered] = useState(() => readDraft(name, (draft) => isDraft(draft, before)));
  const typed = sameValues(values, before) ? null : JSON.stringify(current);
  useEffect(() => {
    // An offer stays stored until it is answered or new text is typed.
    if (typed !== null || offered === null) keepDraft(name, typed);
  }, [name, typed, offered]);
  const forget = useCallback(() => {
    keepDraft(name, null);
    setOffered(null);
  }, [name]);
  const offer = offered !== null && !sameValues(offered.values, before) ? offered : null;
  return { offer, forget };
}

function isDraft<V extends Values>(draft: unknown, example: V): draft is Draft<V> {
  return (
    isLike(draft, { values: {}, before: {}, versione: 0 }) &&
    isLike(draft.values, example) &&
    isLike(draft.before, example)
  );
}

/* Unsaved text per browser tab. It survives a reload or a crash, and ends with the tab. */

const PREFIX = 'bozza:';

/** Stores a draft (JSON) under a name; null deletes it. Does nothing if storage is unavailable. */
export function keepDraft(name: string, json: string | null): void {
  writeStored('sessionStorage', PREFIX + name, json);
}

/** Returns the draft of that name, or null if it is missing or `fits` rejects it. */
export function readDraft<D>(name: string, fits: (draft: unknown) => draft is D): D | null {
  const draft = readStoredJson('sessionStorage', PREFIX + name);
  return fits(draft) ? draft : null;
}

/** Returns true if `value` has the fields of `example` with the same kinds of value. */
function isLike<T extends object>(value: unknown, example: T): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(example).every(([field, like]) => isKind(Reflect.get(value, field), like))
  );
}

function isKind(actual: unknown, like: unknown): boolean {
  if (!Array.isArray(like)) return typeof actual === typeof like;
  return Array.isArray(actual) && actual.every((item) => typeof item === 'string');
}
