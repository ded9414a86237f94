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

export type Values = Record<string, FieldValue>;

/** `conflicts`: fields that both sides changed differently; `merged` has mine there. */
type Merged<V extends Values> = { merged: V; conflicts: (keyof V & string)[] };

/**
 * Merges two edits of one form. A field changed on one side takes that side's value.
 * @param base the values both edits started from
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

/** A text with a unique name, so that equal texts are distinguished. */
type CountedText = { name: string; text: string };

/** Builds each name from the text and the number of equal texts before it. */
export function named(texts: readonly string[]): CountedText[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { name: `${count}:${text}`, text };
  });
}

/**
 * Merges two edits of a list. Additions of both sides are included, removals of either side are applied. An edit is a removal and
 * an addition, so if both edited a phrase, both versions stay. The order is mine, unless only theirs changed.
 * @param base the list both edits started from
 */
export function mergeLists(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const [baseNames, myNames, theirNames] = [names(base), names(mine), names(theirs)];
  const isMineMoved = hasMoved(baseNames, myNames, theirNames);
  const [leading, other] =
    isMineMoved || !hasMoved(baseNames, theirNames, myNames) ? [myNames, theirNames] : [theirNames, myNames];
  const remaining = leading.filter((name) => other.includes(name) || !baseNames.includes(name));
  const added = other.filter((name) => !baseNames.includes(name) && !leading.includes(name));
  return added
    .reduce((list, name) => insertLike(other, list, name), remaining)
    .map((name) => name.slice(name.indexOf(':') + 1));
}

function names(texts: readonly string[]): string[] {
  return named(texts).map(({ name }) => name);
}

/** Returns true if `list` changed the order of the texts common to all three. */
function hasMoved(baseNames: readonly string[], list: readonly string[], other: readonly string[]): boolean {
  const common = baseNames.filter((name) => list.includes(name) && other.includes(name));
  const now = list.filter((name) => common.includes(name));
  return common.some((name, index) => name !== now[index]);
}

/** Inserts a name after its nearest predecessor in `model` that is in the list, else at the start. */
function insertLike(model: readonly string[], list: readonly string[], name: string): string[] {
  const before = model.slice(0, model.indexOf(name)).findLast((earlier) => list.includes(earlier));
  return list.toSpliced(before === undefined ? 0 : list.indexOf(before) + 1, 0, name);
}
