import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';

const NOW = '2027-03-28T00:30:00.000Z';

describe.each(eachDatabase)('%s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.drop());

  it('keeps booleans as booleans, whatever the column is called in the answer', async () => {
    const { db } = database;
    const row = { id: 'a', event_type: 'x', success: true, metadata: '{"a":[1,"è"]}', created_at: NOW };
    const returned = await db
      .insertInto('event_logs')
      .values(row)
      .returning(['success', 'success as riuscito'])
      .execute();
    expect(returned).toEqual([{ success: true, riuscito: true }]);
    await db.updateTable('event_logs').set({ success: false }).where('success', '=', true).execute();
    const stored = await db.selectFrom('event_logs').selectAll().executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ ...row, success: false, error_message: null });
  });

  it('is opened again without running the migrations again', async () => {
    await database.close();
    const again = await openDatabase({ DATABASE_URL: undefined, ...database.env });
    expect(await again.db.selectFrom('tokens').selectAll().execute()).toEqual([]);
    await again.close();
  });
});
