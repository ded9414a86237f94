import type { Db } from '../../db/tables.ts';

/** Every answer of both trips, newest first, with what its visit began with. */
export async function listAnswers(db: Db) {
  return db
    .selectFrom('checkbox_responses as r')
    .leftJoin('active_sessions as s', 's.id', 'r.session_id')
    .select([
      'r.id',
      'r.session_id',
      'r.viaggio',
      'r.token_value',
      'r.risposta_1',
      'r.risposta_2',
      'r.created_at',
      's.snapshot',
    ])
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .execute();
}
