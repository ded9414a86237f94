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
 * Puts what a save takes away into the bin: phrases that are gone from their list, closing phrases that were emptied. What it brings back leaves the bin.
 * @returns the ids under which they lie there
 */
export async function moveRemovedToBin(
  tx: Db,
  before: Pick<Configuration, (typeof PHRASE_LISTS)[number] | 'frasi_finali'>,
  saved: SavedTexts,
  now: Date,
): Promise<string[]> {
  const lost: string[] = [];
  for (const place of PHRASE_LISTS) {
    const after = saved[place];
    if (after === undefined) continue;
    await forgetTexts(tx, 'phrase', place, addedPhrases(before[place], after));
    for (const { testo: name, ...payload } of deletedPhrases(before[place], after))
      lost.push(await putInBin(tx, { kind: 'phrase', place, name, payload }, now));
  }
  if (saved.frasi_finali === undefined) return lost;
  const closing = saved.frasi_finali ?? { entrambi_si: null, entrambi_no: null, misto: null };
  return [
    ...lost,
    ...(await moveTextsToBin(tx, 'closing', { before: before.frasi_finali ?? {}, after: closing }, now)),
  ];
}

type Texts = Partial<Record<string, string | null | undefined>>;

/** The same of single texts, by their fields. */
export async function moveTextsToBin(
  tx: Db,
  kind: BinKind,
  { before, after }: { before: Texts; after: Texts },
  now: Date,
): Promise<string[]> {
  const lost: string[] = [];
  for (const [place, text] of Object.entries(after)) {
    const was = before[place] ?? '';
    if (text !== undefined && !isBlank(text)) await forgetTexts(tx, kind, place, [text ?? '']);
    else if (text !== undefined && !isBlank(was))
      lost.push(await putInBin(tx, { kind, place, name: was, payload: {} }, now));
  }
  return lost;
}
