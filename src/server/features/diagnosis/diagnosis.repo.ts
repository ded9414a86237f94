import { DIAGNOSIS } from '../../../domain/diagnosis.ts';
import type { Db } from '../../db/tables.ts';
import type { DiagnosesTable, DiagnosisPassesTable } from '../../db/workshop-tables.ts';

export type DiagnosisPassRow = DiagnosisPassesTable;
export type DiagnosisRow = DiagnosesTable;

/** The pass of that number, or undefined where it was closed or never was. */
export async function findPass(db: Db, id: number): Promise<DiagnosisPassRow | undefined> {
  return db.selectFrom('diagnosis_passes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The passes that end after this moment, those that end last first. */
export async function validPasses(db: Db, now: Date): Promise<DiagnosisPassRow[]> {
  return db
    .selectFrom('diagnosis_passes')
    .selectAll()
    .where('scadenza', '>', now.toISOString())
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .execute();
}

/** Keeps a new pass in place of the others of that name, and so many passes in all. */
export async function savePass(tx: Db, pass: DiagnosisPassRow): Promise<void> {
  await tx.deleteFrom('diagnosis_passes').where('nome', '=', pass.nome).execute();
  await tx.insertInto('diagnosis_passes').values(pass).execute();
  // Others that were made at the same moment end as late as this one, which stays.
  const newest = tx
    .selectFrom('diagnosis_passes')
    .select('id')
    .where('id', '!=', pass.id)
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .limit(DIAGNOSIS.passes - 1);
  await tx.deleteFrom('diagnosis_passes').where('id', '!=', pass.id).where('id', 'not in', newest).execute();
}

/** Was there such a pass? Now there is none. */
export async function deletePass(tx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('diagnosis_passes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Every tried phone, the latest first. */
export async function listDiagnoses(db: Db): Promise<DiagnosisRow[]> {
  return db.selectFrom('diagnoses').selectAll().orderBy('at', 'desc').orderBy('id').execute();
}

/** Keeps what was found on a phone in place of what was found there before, and so many phones in all. */
export async function saveDiagnosis(tx: Db, row: DiagnosisRow): Promise<void> {
  const { id, ...found } = row;
  await tx
    .insertInto('diagnoses')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
  // Its own row stays, whatever the clock does.
  const latest = tx
    .selectFrom('diagnoses')
    .select('id')
    .where('id', '!=', id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(DIAGNOSIS.phones - 1);
  await tx.deleteFrom('diagnoses').where('id', '!=', id).where('id', 'not in', latest).execute();
}

/** Was there such a phone? Now there is none. */
export async function removeDiagnosis(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('diagnoses').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
