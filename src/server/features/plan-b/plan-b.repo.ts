import type { Selectable } from 'kysely';
import type { PlanBFailure } from '../../../contract/admin/rehearsal.ts';
import { isExpired } from '../../../domain/access.ts';
import type { CodeLock } from '../../../sealed/code-locks.ts';
import type { Db, PlansBTable } from '../../db/tables.ts';

/** Returns the codes that are valid now, oldest first. Their uses don't matter to a sealed evening. */
export async function validCodeLocks(db: Db, now: Date): Promise<CodeLock[]> {
  const rows = await db
    .selectFrom('tokens')
    .select(['id', 'normalized', 'scadenza'])
    .where('attivo', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows
    .filter(({ scadenza }) => !isExpired(scadenza, now))
    .map(({ id, normalized }) => ({ id, normalized }));
}

export async function hasOpenVisit(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('active_sessions')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type PlanRow = Selectable<PlansBTable>;

/** Returns the newest request, built or not. */
export async function latestPlan(db: Db): Promise<PlanRow | undefined> {
  return plans(db).executeTakeFirst();
}

export async function latestMade(db: Db): Promise<PlanRow | undefined> {
  return plans(db).where('made_at', 'is not', null).executeTakeFirst();
}

const plans = (db: Db) => db.selectFrom('plans_b').selectAll().orderBy('wanted_at', 'desc').orderBy('id');

/** Stores a request; it replaces those that weren't built. */
export async function requestPlan(tx: Db, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('plans_b').where('made_at', 'is', null).execute();
  await tx.insertInto('plans_b').values({ id, wanted_at: now.toISOString() }).execute();
}

type BuiltPlan = { made_at: string; made_of: string; file: string; size: number };

/** Marks a request as built and deletes the other rows. Returns the files of those, or null if the request no longer exists. */
export async function savePlan(tx: Db, id: string, made: BuiltPlan): Promise<string[] | null> {
  const updated = await tx
    .updateTable('plans_b')
    .set(made)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (updated === undefined) return null;
  const deleted = await tx.deleteFrom('plans_b').where('id', '<>', id).returning('file').execute();
  return deleted.flatMap(({ file }) => file ?? []);
}

export async function savePlanFailure(tx: Db, id: string, failed: PlanBFailure): Promise<void> {
  await tx.updateTable('plans_b').set({ failed }).where('id', '=', id).where('made_at', 'is', null).execute();
}
