import { keysOf } from '../../../../domain/records.ts';

/** Value of one form field. */
export type FieldValue = string | number | readonly string[];

/** Returns true if both are the same text, number or list of texts. */
export function sameValue(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Returns true if both forms have the same values. */
export function sameValues<V extends Record<string, FieldValue>>(one: V, other: V): boolean {
  return keysOf(one).every((field) => sameValue(one[field], other[field]));
}
