import type { Db } from '../../db/tables.ts';

/** Returns all answers of both trips, newest first, with the snapshot hash of their visit. */
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
      's.snapshot_hash',
    ])
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .execute();
}

/** Returns all replies from keepsakes, newest first, with the code's name if the code still exists. */
export async function listReplies(db: Db) {
  return db
    .selectFrom('keepsakes as k')
    .innerJoin('active_sessions as s', 's.id', 'k.session_id')
    .leftJoin('tokens as t', 't.id', 's.token_id')
    .select(['k.session_id', 's.token_value', 't.nome', 'k.reply', 'k.replied_at'])
    .where('k.reply', 'is not', null)
    .orderBy('k.replied_at', 'desc')
    .orderBy('k.session_id')
    .execute();
}
