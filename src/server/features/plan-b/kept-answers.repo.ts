import type { Db } from '../../db/tables.ts';
import type { NewSession } from '../visit/sessions.repo.ts';

type Without = Omit<
  NewSession,
  'is_active' | 'phrase' | 'second' | 'background_at' | 'exit_seq' | 'reported_errors' | 'piano_b'
>;

/** Adds a visit that was seen without the site; false where there is one with this id. */
export async function insertWithoutSite(tx: Db, visit: Without): Promise<boolean> {
  const row = await tx
    .insertInto('active_sessions')
    .values({
      ...visit,
      is_active: false,
      phrase: 0,
      second: 0,
      exit_seq: -1,
      reported_errors: 0,
      exit_point: 'after_checkboxes',
      piano_b: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
