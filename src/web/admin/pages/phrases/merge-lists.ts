/** A text of a list with a name of its own: the second «Ciao» is not the first. */
export type CountedText = { name: string; text: string };

/** Names each text by itself and by how many of the same stand before it. */
export function named(texts: readonly string[]): CountedText[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { name: `${count}:${text}`, text };
  });
}

/**
 * Brings together what two hands made of the same list. What either added is there, what either removed is not (an edit is both: where
 * both edited the same phrase, both versions stay). The order is mine, unless only they changed it.
 * @param base what both began with
 */
export function mergeLists(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const [was, here, there] = [names(base), names(mine), names(theirs)];
  const iMoved = movedIn(was, here, there);
  const [leading, other] = iMoved || !movedIn(was, there, here) ? [here, there] : [there, here];
  const kept = leading.filter((name) => other.includes(name) || !was.includes(name));
  const added = other.filter((name) => !was.includes(name) && !leading.includes(name));
  return added
    .reduce((list, name) => insertLike(other, list, name), kept)
    .map((name) => name.slice(name.indexOf(':') + 1));
}

function names(texts: readonly string[]): string[] {
  return named(texts).map(({ name }) => name);
}

/** Did `list` change the order of what all three have? */
function movedIn(was: readonly string[], list: readonly string[], other: readonly string[]): boolean {
  const common = was.filter((name) => list.includes(name) && other.includes(name));
  const now = list.filter((name) => common.includes(name));
  return common.some((name, index) => name !== now[index]);
}

/** Puts a name behind the one it follows in `model`, as far as that one is there; else in front. */
function insertLike(model: readonly string[], list: readonly string[], name: string): string[] {
  const before = model.slice(0, model.indexOf(name)).findLast((earlier) => list.includes(earlier));
  return list.toSpliced(before === undefined ? 0 : list.indexOf(before) + 1, 0, name);
}
