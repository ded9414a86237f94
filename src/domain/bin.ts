import { isBlank } from './blank.ts';
import { BIN } from './limits.ts';
import { DAY_MS } from './time.ts';

/** What may lie in the bin: a file, a code, a phrase of a list, a question that was emptied, a closing phrase that was. */
export const BIN_KINDS = ['media', 'code', 'phrase', 'question', 'closing'] as const;
export type BinKind = (typeof BIN_KINDS)[number];

/** How something came back: `active` where it was and in use; `listed` in its list, while something else is in use; `back` where it was. */
export const RESTORE_RESULTS = ['active', 'listed', 'back'] as const;
export type RestoreResult = (typeof RESTORE_RESULTS)[number];

/** Until when something that was deleted at `deleted_at` can be taken back. */
export const binExpiresAt = (deleted_at: string): Date =>
  new Date(Date.parse(deleted_at) + BIN.days * DAY_MS);

/** What was deleted before this has left the bin. */
export const binCutoff = (now: Date): Date => new Date(now.getTime() - BIN.days * DAY_MS);

/** Where a phrase stood: its place, counted from 0, and the phrases before and after it; null at an end of the list. */
export type PhrasePosition = { posizione: number; prima: string | null; dopo: string | null };

/**
 * The phrases that are gone from a list. One that was written anew at its place is no deleted one, nor one that was moved; blank ones aren't worth
 * keeping.
 */
export function deletedPhrases(
  before: readonly string[],
  after: readonly string[],
): (PhrasePosition & { testo: string })[] {
  const gone = missing(before, after);
  for (const place of missing(after, before)) {
    const edited = gone.findIndex(
      (was) => before[was - 1] === after[place - 1] || before[was + 1] === after[place + 1],
    );
    gone.splice(Math.max(edited, 0), 1);
  }
  return gone
    .map((posizione) => ({
      testo: before[posizione] ?? '',
      posizione,
      prima: before[posizione - 1] ?? null,
      dopo: before[posizione + 1] ?? null,
    }))
    .filter(({ testo }) => !isBlank(testo));
}

/** The texts that a list has more often than before. */
export const addedPhrases = (before: readonly string[], after: readonly string[]): string[] =>
  missing(after, before).flatMap((place) => after[place] ?? []);

/** The places in `list` of the texts that `other` hasn't, or has less often. */
function missing(list: readonly string[], other: readonly string[]): number[] {
  const left = [...other];
  return list.flatMap((text, place) => {
    const found = left.indexOf(text);
    if (found < 0) return [place];
    left.splice(found, 1);
    return [];
  });
}

/** Where a phrase fits into the list as it is now, counted from 0: beside its old neighbours as far as they are there, else at its number. */
export function insertIndexFor(list: readonly string[], { posizione, prima, dopo }: PhrasePosition): number {
  const places = Array.from({ length: list.length + 1 }, (_, place) => ({
    place,
    fits: Number((list[place - 1] ?? null) === prima) * 2 + Number((list[place] ?? null) === dopo),
    far: Math.abs(place - posizione),
  }));
  const [best] = places.toSorted((a, b) => b.fits - a.fits || a.far - b.far);
  return best?.place ?? 0;
}
