/** The names in a record that holds nothing but what its type says; TypeScript, which allows it more, knows them as texts only. */
export function keysOf<R extends object>(record: R): (keyof R & string)[] {
  return Object.keys(record) as (keyof R & string)[];
}

/** A record with something for each of these names. */
export function eachOf<N extends string, V>(names: readonly N[], make: (name: N) => V): Record<N, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>;
}
