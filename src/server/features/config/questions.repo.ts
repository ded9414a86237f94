import { NO_QUESTIONS, QUESTION_FIELDS, type Questions } from '../../../domain/configuration.ts';
import { statement } from '../../db/statement.ts';
import type { Db } from '../../db/tables.ts';

export type VersionedQuestions = Questions & { versione: number };

/** Returns the visitor's questions; all null before the first save. */
export async function readQuestions(db: Db): Promise<Questions> {
  return (await questionsQuery(db, {}))[0] ?? NO_QUESTIONS;
}

const questionsQuery = statement()((db) =>
  db.selectFrom('checkbox_questions').select(QUESTION_FIELDS).where('id', '=', 1),
);

/** Returns the only row with its version; 0 before the first save. */
export async function readVersioned(db: Db): Promise<VersionedQuestions> {
  const row = await db
    .selectFrom('checkbox_questions')
    .select([...QUESTION_FIELDS, 'versione'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row ?? { ...NO_QUESTIONS, versione: 0 };
}

/** Creates the row at version 0 if it does not exist. */
export async function ensureQuestions(tx: Db): Promise<void> {
  await tx
    .insertInto('checkbox_questions')
    .values({ id: 1, ...NO_QUESTIONS })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Updates some questions if the row is still at `versione`. Returns the new row, or undefined if it is not. */
export async function updateQuestions(
  tx: Db,
  change: Partial<Questions>,
  versione: number,
): Promise<VersionedQuestions | undefined> {
  return tx
    .updateTable('checkbox_questions')
    .set((set) => ({ ...change, versione: set('versione', '+', 1) }))
    .where('id', '=', 1)
    .where('versione', '=', versione)
    .returning([...QUESTION_FIELDS, 'versione'])
    .executeTakeFirst();
}
