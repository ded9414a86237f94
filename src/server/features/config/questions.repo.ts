import { NO_QUESTIONS, type Questions } from '../../../domain/content.ts';
import type { Db } from '../../db/tables.ts';

const FIELDS = ['domanda_1', 'domanda_2', 'domanda_1_viaggio_2', 'domanda_2_viaggio_2'] as const;

export type VersionedQuestions = Questions & { versione: number };

/** What a visitor may be asked; all null while nothing was ever saved. */
export async function readQuestions(db: Db): Promise<Questions> {
  const row = await db.selectFrom('checkbox_questions').select(FIELDS).where('id', '=', 1).executeTakeFirst();
  return row ?? NO_QUESTIONS;
}

/** The one row with its version; 0 while nothing was ever saved. */
export async function readVersioned(db: Db): Promise<VersionedQuestions> {
  const row = await db
    .selectFrom('checkbox_questions')
    .select([...FIELDS, 'versione'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row ?? { ...NO_QUESTIONS, versione: 0 };
}

/** Makes the row, at version 0, if there is none. */
export async function ensureQuestions(tx: Db): Promise<void> {
  await tx
    .insertInto('checkbox_questions')
    .values({ id: 1, ...NO_QUESTIONS })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Changes some questions if the row is still at `versione`. Returns it as it is then, or undefined when it was not. */
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
    .returning([...FIELDS, 'versione'])
    .executeTakeFirst();
}
