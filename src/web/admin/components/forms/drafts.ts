import { readStoredJson, writeStored } from '../../../ui/storage.ts';

/*
 * What was typed and not saved, kept for this tab: it survives a reload and a crash, and is gone when the tab is closed.
 */

const PREFIX = 'bozza:';

/** Keeps a draft (as JSON) under a name; null forgets it. Where there is no storage nothing is kept. */
export function keepDraft(name: string, json: string | null): void {
  writeStored('sessionStorage', PREFIX + name, json);
}

/** The draft of that name if there is one and it is what `fits` asks for, else null. */
export function readDraft<D>(name: string, fits: (draft: unknown) => draft is D): D | null {
  const draft = readStoredJson('sessionStorage', PREFIX + name);
  return fits(draft) ? draft : null;
}

/** Has `value` the same fields as `example`, of the same kinds? */
export function isLike<T extends object>(value: unknown, example: T): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(example).every(([field, like]) => isKind(Reflect.get(value, field), like))
  );
}

function isKind(found: unknown, like: unknown): boolean {
  if (!Array.isArray(like)) return typeof found === typeof like;
  return Array.isArray(found) && found.every((item) => typeof item === 'string');
}
