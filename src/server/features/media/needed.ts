import { binnedMediaIds } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { referencedMediaIds } from '../visit/media-access.ts';
import { companionsOf } from './companion.ts';

/** The deleted files that visits still refer to; what comes and goes with a file is needed with it. */
export const referencedIds = async (db: Db, now: Date) => withCompanions(await referencedMediaIds(db, now));

/** The deleted files that lie in the bin, likewise. */
export const idsInBin = async (db: Db) => withCompanions(await binnedMediaIds(db));

/** Those that stay for the bin alone. */
export async function keptOnlyByBin(db: Db, now: Date): Promise<ReadonlySet<string>> {
  const living = await referencedIds(db, now);
  return new Set([...(await idsInBin(db))].filter((id) => !living.has(id)));
}

const withCompanions = (ids: ReadonlySet<string>) => new Set([...ids, ...[...ids].flatMap(companionsOf)]);
