import type { Selectable } from 'kysely';
import { isExpired } from '../../../domain/access.ts';
import type { PlanBFailure } from '../../../domain/plan-b.ts';
import type { CodeLock } from '../../../sealed/code-locks.ts';
import type { Db } from '../../db/tables.ts';
import type { PlansBTable } from '../../db/workshop-tables.ts';

/** The codes that open now, the oldest first; how often they were used is nothing to a sealed evening. */
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

/** Is somebody in the evening? */
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

/** The latest that was asked for, made or not. */
export async function latestPlan(db: Db): Promise<PlanRow | undefined> {
  return plans(db).executeTakeFirst();
}

/** The latest that was made. */
export async function latestMade(db: Db): Promise<PlanRow | undefined> {
  return plans(db).where('made_at', 'is not', null).executeTakeFirst();
}

const plans = (db: Db) => db.selectFrom('plans_b').selectAll().orderBy('wanted_at', 'desc').orderBy('id');

/** Notes that one is wanted, in place of those that weren't made. */
export async function requestPlan(tx: Db, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('plans_b').where('made_at', 'is', null).execute();
  await tx.insertInto('plans_b').values({ id, wanted_at: now.toISOString() }).execute();
}

type BuiltPlan = { made_at: string; made_of: string; file: string; size: number };

/** Notes that it was made, in place of the one before. Returns the files of what goes; null where it isn't wanted any more. */
export async function savePlan(tx: Db, id: string, made: BuiltPlan): Promise<string[] | null> {
  const noted = await tx
    .updateTable('plans_b')
    .set(made)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (noted === undefined) return null;
  const gone = await tx.deleteFrom('plans_b').where('id', '<>', id).returning('file').execute();
  return gone.flatMap(({ file }) => file ?? []);
}

export async function savePlanFailure(tx: Db, id: string, failed: PlanBFailure): Promise<void> {
  await tx.updateTable('plans_b').set({ failed }).where('id', '=', id).where('made_at', 'is', null).execute();
}
