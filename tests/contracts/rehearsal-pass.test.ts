import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endPass, findPass, startPass } from '../../src/server/features/rehearsal/rehearsal.repo.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';

const ENDS = new Date('2027-02-14T20:00:00.000Z');
const LATER = new Date('2027-02-14T21:00:00.000Z');

describe.each(eachDatabase)('the pass for the rehearsal on %s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.drop());

  it('has a number that is never given twice, and one end', async () => {
    const { db } = database;
    expect(await findPass(db)).toBeUndefined();
    await endPass(db);
    expect(await startPass(db, ENDS)).toBe(1);
    expect(await startPass(db, LATER)).toBe(2);
    expect(await findPass(db)).toEqual({ generation: 2, scadenza: LATER.toISOString() });
    await endPass(db);
    expect(await findPass(db)).toEqual({ generation: 2, scadenza: null });
    expect(await startPass(db, ENDS)).toBe(3);
    expect(await db.selectFrom('rehearsal_pass').selectAll().execute()).toEqual([
      { id: 1, generation: 3, scadenza: ENDS.toISOString() },
    ]);
  });

  it('gives each of many that are asked for at once a number of its own', async () => {
    const started = Array.from({ length: 8 }, () => database.inTransaction((tx) => startPass(tx, ENDS)));
    expect((await Promise.all(started)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
