import { DIAGNOSIS } from '../../../domain/diagnosis.ts';
import type { Db, DiagnosesTable, DiagnosisPassesTable } from '../../db/tables.ts';

export type DiagnosisPassRow = DiagnosisPassesTable;
export type DiagnosisRow = DiagnosesTable;

/** Returns the pass with this number, or undefined if it was revoked or never existed. */
export async function findPass(db: Db, id: number): Promise<DiagnosisPassRow | undefined> {
  return db.selectFrom('diagnosis_passes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the passes that are valid at this moment, the last to expire first. */
export async function validPasses(db: Db, now: Date): Promise<DiagnosisPassRow[]> {
  return db
    .selectFrom('diagnosis_passes')
    .selectAll()
    .where('scadenza', '>', now.toISOString())
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .execute();
}

/** Stores a pass, replacing those of the same name. Deletes the oldest beyond the limit. */
export async function savePass(tx: Db, pass: DiagnosisPassRow): Promise<void> {
  await tx.deleteFrom('diagnosis_passes').where('nome', '=', pass.nome).execute();
  await tx.insertInto('diagnosis_passes').values(pass).execute();
  // Passes created at the same moment expire together, so the new one is excluded by its id.
  const newest = tx
    .selectFrom('diagnosis_passes')
    .select('id')
    .where('id', '!=', pass.id)
    .orderBy('scadenza', 'desc')
    .orderBy('id')
    .limit(DIAGNOSIS.passes - 1);
  await tx.deleteFrom('diagnosis_passes').where('id', '!=', pass.id).where('id', 'not in', newest).execute();
}

/** Deletes a pass. Returns true if it existed. */
export async function deletePass(tx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('diagnosis_passes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Returns all tested phones, latest first. */
export async function listDiagnoses(db: Db): Promise<DiagnosisRow[]> {
  return db.selectFrom('diagnoses').selectAll().orderBy('at', 'desc').orderBy('id').execute();
}

/** Stores the findings of a phone, replacing its earlier ones. Deletes the oldest phones beyond the limit. */
export async function saveDiagnosis(tx: Db, row: DiagnosisRow): Promise<void> {
  const { id, ...found } = row;
  await tx
    .insertInto('diagnoses')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
  // Its own row stays, even after a change of the clock.
  const latest = tx
    .selectFrom('diagnoses')
    .select('id')
    .where('id', '!=', id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(DIAGNOSIS.phones - 1);
  await tx.deleteFrom('diagnoses').where('id', '!=', id).where('id', 'not in', latest).execute();
}

/** Deletes a phone. Returns true if it existed. */
export async function removeDiagnosis(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('diagnoses').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
