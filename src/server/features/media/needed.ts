import { binnedMediaIds } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { referencedMediaIds } from '../visit/media-access.ts';
import { companionsOf } from './companion.ts';

/** Returns the ids of files that resumable visits and keepsakes refer to, with their companions. */
export const referencedIds = async (db: Db, now: Date) => withCompanions(await referencedMediaIds(db, now));

/** Returns the ids of files in the bin, with their companions. */
export const idsInBin = async (db: Db) => withCompanions(await binnedMediaIds(db));

/** Returns the ids of files that only the bin refers to. */
export async function keptOnlyByBin(db: Db, now: Date): Promise<ReadonlySet<string>> {
  const referenced = await referencedIds(db, now);
  return new Set([...(await idsInBin(db))].filter((id) => !referenced.has(id)));
}

const withCompanions = (ids: ReadonlySet<string>) => new Set([...ids, ...[...ids].flatMap(companionsOf)]);
