import type { Db } from '../../db/tables.ts';
import type { ReadyWatchTable } from '../../db/workshop-tables.ts';

export type CheckSchedule = ReadyWatchTable;

/** Who is at it has it to himself for so long after his last word, in milliseconds: a process that died is waited for no longer. */
const LEASE_MS = 15 * 60_000;

export async function findSchedule(db: Db): Promise<CheckSchedule | undefined> {
  return db.selectFrom('ready_watch').selectAll().where('id', '=', 1).executeTakeFirst();
}

/** Makes the row if there is none: what was due before nobody waits for. */
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
 * Takes the trying for this process, where nobody is at it, and it is still wanted or due. Of several that ask at once one gets it.
 * @param due the trying that was due last, in milliseconds
 */
export async function claimRun(tx: Db, due: number, now: Date): Promise<boolean> {
  const taken = await tx
    .updateTable('ready_watch')
    .set({ asking_until: leaseFrom(now), done: 0, total: 0 })
    .where('id', '=', 1)
    .where((eb) => eb.or([eb('asking_until', 'is', null), eb('asking_until', '<=', now.toISOString())]))
    .where((eb) =>
      eb.or([eb('wanted_at', 'is not', null), eb('watched_at', '<', new Date(due).toISOString())]),
    )
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** How far it is; whoever is at it goes on. */
export const noteProgress = (tx: Db, { done, total }: { done: number; total: number }, now: Date) =>
  updateSchedule(tx, { done, total, asking_until: leaseFrom(now) });

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString();
