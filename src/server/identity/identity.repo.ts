import type { Db, InstallIdentityTable } from '../db/tables.ts';

export type InstallRow = Omit<InstallIdentityTable, 'id'>;

const ID = 1;

/** Returns the identity of the database, or undefined before the first node has started. */
export function findInstall(db: Db): Promise<InstallRow | undefined> {
  return db
    .selectFrom('install_identity')
    .select(['install', 'secrets', 'storage'])
    .where('id', '=', ID)
    .executeTakeFirst();
}

/** Stores the identity if there is none. Of concurrent calls the first succeeds. */
export async function claimInstall(tx: Db, row: InstallRow): Promise<void> {
  await tx
    .insertInto('install_identity')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Stores the install's storage if none is stored. */
export async function claimStorage(tx: Db, storage: string): Promise<void> {
  await tx
    .updateTable('install_identity')
    .set({ storage })
    .where('id', '=', ID)
    .where('storage', 'is', null)
    .execute();
}

/** Replaces the install's secrets and storage. */
export async function moveInstall(tx: Db, { secrets, storage }: InstallRow): Promise<void> {
  await tx.updateTable('install_identity').set({ secrets, storage }).where('id', '=', ID).execute();
}
