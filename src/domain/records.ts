/** Returns the keys of a record, typed. The record must have no keys beyond its type, which TypeScript can't check. */
export function keysOf<R extends object>(record: R): (keyof R & string)[] {
  return Object.keys(record) as (keyof R & string)[];
}

/** Creates a record with a value for each name. */
export function eachOf<N extends string, V>(names: readonly N[], make: (name: N) => V): Record<N, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>;
}
