import type { Db } from '../db/tables.ts';
import type { InstallIdentityTable } from '../db/workshop-tables.ts';

export type InstallRow = Omit<InstallIdentityTable, 'id'>;

const ID = 1;

/** What the database is known by, or undefined as long as nobody has asked. */
export function findInstall(db: Db): Promise<InstallRow | undefined> {
  return db
    .selectFrom('install_identity')
    .select(['install', 'secrets', 'storage'])
    .where('id', '=', ID)
    .executeTakeFirst();
}

/** Writes it where there is none. Of several who do it at once one is the first. */
export async function claimInstall(tx: Db, row: InstallRow): Promise<void> {
  await tx
    .insertInto('install_identity')
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Says which storage is the install's, where nobody has. */
export async function claimStorage(tx: Db, storage: string): Promise<void> {
  await tx
    .updateTable('install_identity')
    .set({ storage })
    .where('id', '=', ID)
    .where('storage', 'is', null)
    .execute();
}

/** Says what secrets and storage are the install's from now on. */
export async function moveInstall(tx: Db, { secrets, storage }: InstallRow): Promise<void> {
  await tx.updateTable('install_identity').set({ secrets, storage }).where('id', '=', ID).execute();
}
