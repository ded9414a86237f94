import type { Questions } from '../../../domain/content.ts';
import type { Db } from '../../db/tables.ts';

const FIELDS = ['domanda_1', 'domanda_2', 'domanda_1_viaggio_2', 'domanda_2_viaggio_2'] as const;

const NO_QUESTIONS: Questions = {
  domanda_1: null,
  domanda_2: null,
  domanda_1_viaggio_2: null,
  domanda_2_viaggio_2: null,
};

/** The one row; all null while nothing was ever saved. */
export async function readQuestions(db: Db): Promise<Questions> {
  const row = await db.selectFrom('checkbox_questions').select(FIELDS).where('id', '=', 1).executeTakeFirst();
  return row ?? NO_QUESTIONS;
}

/** Changes some questions; the first save makes the row. Returns all four as they are now. */
export async function saveQuestions(tx: Db, change: Partial<Questions>): Promise<Questions> {
  const insert = tx.insertInto('checkbox_questions').values({ id: 1, ...NO_QUESTIONS, ...change });
  const given = Object.keys(change).length > 0;
  await insert
    .onConflict((conflict) => {
      const row = conflict.column('id');
      return given ? row.doUpdateSet(change) : row.doNothing();
    })
    .execute();
  return readQuestions(tx);
}
