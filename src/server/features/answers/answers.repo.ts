import type { AnswerRecord } from '../../../contract/admin/questions.ts';
import type { Db } from '../../db/tables.ts';

/** Every answer of both trips, newest first. */
export async function listAnswers(db: Db): Promise<AnswerRecord[]> {
  return db
    .selectFrom('checkbox_responses')
    .select(['id', 'session_id', 'viaggio', 'token_value', 'risposta_1', 'risposta_2', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}
