import { addedPhrases, type BinKind, deletedPhrases } from '../../../domain/bin.ts';
import { isBlank } from '../../../domain/blank.ts';
import { type Configuration, type FrasiFinali, PHRASE_LISTS } from '../../../domain/configuration.ts';
import { forgetTexts, putInBin } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';

type SavedTexts = {
  [K in keyof Pick<Configuration, (typeof PHRASE_LISTS)[number]>]?: string[] | undefined;
} & {
  frasi_finali?: FrasiFinali | null | undefined;
};

/**
 * Moves removed phrases and emptied closing phrases of a save to the bin. Texts that the save brings back leave the
 * bin.
 * @returns ids of the new items in the bin
 */
export async function moveRemovedToBin(
  tx: Db,
  before: Pick<Configuration, (typeof PHRASE_LISTS)[number] | 'frasi_finali'>,
  saved: SavedTexts,
  now: Date,
): Promise<string[]> {
  const binnedIds: string[] = [];
  for (const place of PHRASE_LISTS) {
    const after = saved[place];
    if (after === undefined) continue;
    await forgetTexts(tx, 'phrase', place, addedPhrases(before[place], after));
    for (const { testo: name, ...payload } of deletedPhrases(before[place], after))
      binnedIds.push(await putInBin(tx, { kind: 'phrase', place, name, payload }, now));
  }
  if (saved.frasi_finali === undefined) return binnedIds;
  const closing = saved.frasi_finali ?? { entrambi_si: null, entrambi_no: null, misto: null };
  return [
    ...binnedIds,
    ...(await moveTextsToBin(tx, 'closing', { before: before.frasi_finali ?? {}, after: closing }, now)),
  ];
}

type Texts = Partial<Record<string, string | null | undefined>>;

/** Moves emptied single texts to the bin, by their fields. */
export async function moveTextsToBin(
  tx: Db,
  kind: BinKind,
  { before, after }: { before: Texts; after: Texts },
  now: Date,
): Promise<string[]> {
  const binnedIds: string[] = [];
  for (const [place, text] of Object.entries(after)) {
    const was = before[place] ?? '';
    if (text !== undefined && !isBlank(text)) await forgetTexts(tx, kind, place, [text ?? '']);
    else if (text !== undefined && !isBlank(was))
      binnedIds.push(await putInBin(tx, { kind, place, name: was, payload: {} }, now));
  }
  return binnedIds;
}
