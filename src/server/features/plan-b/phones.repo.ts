import type { Selectable } from 'kysely';
import { PLAN_B_PASS } from '../../../domain/plan-b.ts';
import type { Db } from '../../db/tables.ts';
import type { PlanBPassesTable } from '../../db/workshop-tables.ts';

export type KeepingPhone = Selectable<PlanBPassesTable>;

/** The passes that end after this moment, those that end last first. */
export async function keepingPhones(db: Db, now: Date): Promise<KeepingPhone[]> {
  return db
    .selectFrom('plan_b_passes')
    .selectAll()
    .where('scadenza', '>', now.toISOString())
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .execute();
}

/** The phone with that pass, or undefined where it was taken back or never was. */
export async function findPhone(db: Db, id: number): Promise<KeepingPhone | undefined> {
  return db.selectFrom('plan_b_passes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lets a phone in, in place of those of that name; of the others only the latest stay. */
export async function letPhoneIn(
  tx: Db,
  phone: { id: number; nome: string; scadenza: string },
): Promise<void> {
  const others = await tx
    .selectFrom('plan_b_passes')
    .select(['id', 'nome'])
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .execute();
  const stay = others.filter(({ nome }) => nome !== phone.nome).slice(0, PLAN_B_PASS.passes - 1);
  const gone = others.filter((one) => !stay.includes(one)).map(({ id }) => id);
  if (gone.length > 0) await tx.deleteFrom('plan_b_passes').where('id', 'in', gone).execute();
  await tx.insertInto('plan_b_passes').values(phone).execute();
}

/** Was there such a phone? Now there is none. */
export async function sendPhoneAway(tx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('plan_b_passes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Notes what a phone said. */
export async function notePhone(
  tx: Db,
  id: number,
  said: Pick<KeepingPhone, 'seen_at' | 'user_agent' | 'keeps'>,
): Promise<void> {
  await tx.updateTable('plan_b_passes').set(said).where('id', '=', id).execute();
}
