import { isBlank } from './blank.ts';
import { BIN, DAY_MS } from './limits.ts';

/** Kinds of items in the bin: a file, a code, a phrase of a list, an emptied question, an emptied closing phrase. */
export const BIN_KINDS = ['media', 'code', 'phrase', 'question', 'closing'] as const;
export type BinKind = (typeof BIN_KINDS)[number];

/** Result of a restore: `active`: in its place and in use; `listed`: in its list, while another item is in use; `back`: in its place. */
export const RESTORE_RESULTS = ['active', 'listed', 'back'] as const;
export type RestoreResult = (typeof RESTORE_RESULTS)[number];

/** Returns the end of the time in which an item deleted at `deleted_at` can be restored. */
export const binExpiresAt = (deleted_at: string): Date =>
  new Date(Date.parse(deleted_at) + BIN.days * DAY_MS);

/** Returns the cutoff: items deleted before it have left the bin. */
export const binCutoff = (now: Date): Date => new Date(now.getTime() - BIN.days * DAY_MS);

/** Position of a phrase: its index, and the phrases before and after it; null at an end of the list. */
export type PhrasePosition = { posizione: number; prima: string | null; dopo: string | null };

/** Returns the phrases deleted from a list. Edited and moved phrases are not deleted; blank ones are left out. */
export function deletedPhrases(
  before: readonly string[],
  after: readonly string[],
): (PhrasePosition & { testo: string })[] {
  const deleted = missing(before, after);
  for (const place of missing(after, before)) {
    const edited = deleted.findIndex(
      (was) => before[was - 1] === after[place - 1] || before[was + 1] === after[place + 1],
    );
    deleted.splice(Math.max(edited, 0), 1);
  }
  return deleted
    .map((posizione) => ({
      testo: before[posizione] ?? '',
      posizione,
      prima: before[posizione - 1] ?? null,
      dopo: before[posizione + 1] ?? null,
    }))
    .filter(({ testo }) => !isBlank(testo));
}

/** Returns the texts that a list contains more often than before. */
export const addedPhrases = (before: readonly string[], after: readonly string[]): string[] =>
  missing(after, before).flatMap((place) => after[place] ?? []);

/** Returns the indices in `list` of texts that `other` doesn't contain, or contains less often. */
function missing(list: readonly string[], other: readonly string[]): number[] {
  const left = [...other];
  return list.flatMap((text, place) => {
    const index = left.indexOf(text);
    if (index < 0) return [place];
    left.splice(index, 1);
    return [];
  });
}

/**
 * Returns the index at which a phrase is restored: next to its old neighbours if the list still has them, else nearest to its old index.
 */
export function insertIndexFor(list: readonly string[], { posizione, prima, dopo }: PhrasePosition): number {
  const places = Array.from({ length: list.length + 1 }, (_, place) => ({
    place,
    fits: Number((list[place - 1] ?? null) === prima) * 2 + Number((list[place] ?? null) === dopo),
    far: Math.abs(place - posizione),
  }));
  const [best] = places.toSorted((a, b) => b.fits - a.fits || a.far - b.far);
  return best?.place ?? 0;
}
