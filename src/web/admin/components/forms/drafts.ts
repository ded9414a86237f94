import { readStoredJson, writeStored } from '../../../ui/storage.ts';

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
export function isLike<T extends object>(value: unknown, example: T): value is T {
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
