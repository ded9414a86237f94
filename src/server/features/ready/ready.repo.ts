import type { Db, ReadyTriesTable, ReadyWatchTable } from '../../db/tables.ts';

export type CheckSchedule = ReadyWatchTable;

/** Lease of the running process in ms, renewed by each progress report. It expires if the process died. */
const LEASE_MS = 15 * 60_000;

export async function findSchedule(db: Db): Promise<CheckSchedule | undefined> {
  return db.selectFrom('ready_watch').selectAll().where('id', '=', 1).executeTakeFirst();
}

/** Inserts the row if it is missing. Runs that were due before `now` are skipped. */
export async function ensureSchedule(tx: Db, now: Date): Promise<void> {
  await tx
    .insertInto('ready_watch')
    .values({
      id: 1,
      asked_at: null,
      watched_at: now.toISOString(),
      wanted_at: null,
      asking_until: null,
      done: 0,
      total: 0,
      told: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

type Change = Partial<Omit<CheckSchedule, 'id'>>;

export async function updateSchedule(tx: Db, change: Change): Promise<void> {
  await tx.updateTable('ready_watch').set(change).where('id', '=', 1).execute();
}

/**
 * Claims the run if it is requested or due and unclaimed. Of concurrent callers one succeeds.
 * @param due time of the latest due run, in ms
 */
export async function claimRun(tx: Db, due: number, now: Date): Promise<boolean> {
  const claimed = await tx
    .updateTable('ready_watch')
    .set({ asking_until: leaseFrom(now), done: 0, total: 0 })
    .where('id', '=', 1)
    .where((eb) => eb.or([eb('asking_until', 'is', null), eb('asking_until', '<=', now.toISOString())]))
    .where((eb) =>
      eb.or([eb('wanted_at', 'is not', null), eb('watched_at', '<', new Date(due).toISOString())]),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Stores the progress and renews the lease. */
export const noteProgress = (tx: Db, { done, total }: { done: number; total: number }, now: Date) =>
  updateSchedule(tx, { done, total, asking_until: leaseFrom(now) });

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString();

/** Returns the stored results by check id. */
export async function readChecks(db: Db): Promise<Map<string, ReadyTriesTable>> {
  const rows = await db.selectFrom('ready_tries').selectAll().execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function saveCheck(tx: Db, row: ReadyTriesTable): Promise<void> {
  const { id: _id, ...found } = row;
  await tx
    .insertInto('ready_tries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
}

/** Deletes the results of checks that aren't in `ids`: their files left the evening. */
export async function deleteOtherChecks(tx: Db, ids: readonly string[]): Promise<void> {
  const deletion = tx.deleteFrom('ready_tries');
  await (ids.length === 0 ? deletion : deletion.where('id', 'not in', ids)).execute();
}
