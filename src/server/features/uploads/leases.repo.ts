import type { Db } from '../../db/tables.ts';

type LeaseHolder = { key: string; holder: string; until: Date };

/** Acquires a free or expired lease. Of concurrent callers one succeeds. */
export async function acquireLease(tx: Db, { key, holder, until }: LeaseHolder, now: Date): Promise<boolean> {
  const row = { holder, until: until.toISOString(), asked: false, progress: null };
  const acquired = await tx
    .insertInto('upload_leases')
    .values({ key, ...row })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(row).where('upload_leases.until', '<=', now.toISOString()),
    )
    .returning('key')
    .executeTakeFirst();
  return acquired !== undefined;
}

/** Renews a lease, even an expired one, unless another holder took it; then returns undefined. `asked`: a release is requested. */
export async function renewLease(
  tx: Db,
  { key, holder, until, progress }: LeaseHolder & { progress: number | null },
): Promise<{ asked: boolean } | undefined> {
  return tx
    .updateTable('upload_leases')
    .set({ until: until.toISOString(), progress })
    .where('key', '=', key)
    .where('holder', '=', holder)
    .returning('asked')
    .executeTakeFirst();
}

export async function releaseLease(tx: Db, { key, holder }: Omit<LeaseHolder, 'until'>): Promise<void> {
  await tx.deleteFrom('upload_leases').where('key', '=', key).where('holder', '=', holder).execute();
}

/** Requests a release from the holder. Returns false if the lease is free. */
export async function requestRelease(tx: Db, key: string, now: Date): Promise<boolean> {
  const requested = await tx
    .updateTable('upload_leases')
    .set({ asked: true })
    .where('key', '=', key)
    .where('until', '>', now.toISOString())
    .returning('key')
    .executeTakeFirst();
  return requested !== undefined;
}

export type HeldLease = { key: string; progress: number | null };

export async function heldLeases(db: Db, now: Date): Promise<HeldLease[]> {
  return db
    .selectFrom('upload_leases')
    .select(['key', 'progress'])
    .where('until', '>', now.toISOString())
    .execute();
}

/** Deletes leases that expired before this time. */
export async function deleteExpiredLeases(tx: Db, before: Date): Promise<void> {
  await tx.deleteFrom('upload_leases').where('until', '<', before.toISOString()).execute();
}
