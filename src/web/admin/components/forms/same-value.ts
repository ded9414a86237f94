/** What a form holds in one field. */
export type FieldValue = string | number | readonly string[];

/** Are these the same text, number or list of texts? */
export function sameValue(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Do two forms hold the same? */
export function sameValues<V extends Record<string, FieldValue>>(one: V, other: V): boolean {
  return fieldsOf(one).every((field) => sameValue(one[field], other[field]));
}

/** The names of a form's fields. */
export function fieldsOf<V extends object>(values: V): (keyof V & string)[] {
  // The object's own keys
  return Object.keys(values) as (keyof V & string)[];
}
