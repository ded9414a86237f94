import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeStored } from '../../src/server/features/visit/snapshot.ts';
import { findSnapshot, keepSnapshot } from '../../src/server/features/visit/snapshots.repo.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { comeIn, configure, makeCode, visitorOf } from '../support/visits.ts';

describe.each(eachDatabase)('what visits began with, on %s', (_name, open) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(open);
    await configure(server, { frasi_pre_video: ['Prima'] });
  });
  afterEach(() => server.close());

  const enter = async () => comeIn(server, (await makeCode(server)).token);
  const stored = () => server.deps.db.selectFrom('visit_snapshots').selectAll().execute();
  const seen = async (secret: string) => (await visitorOf(server, secret)).snapshot.config.frasi_pre_video;

  it('is stored once, until something is saved that changes it', async () => {
    const [first, second] = [await enter(), await enter()];
    expect(await stored()).toHaveLength(1);
    await configure(server, { frasi_pre_video: ['Poi'] });
    const third = await enter();
    expect(await stored()).toHaveLength(2);
    expect(await Promise.all([first, second, third].map(({ secret }) => seen(secret)))).toEqual([
      ['Prima'],
      ['Prima'],
      ['Poi'],
    ]);
  });

  it('is stored again once it is gone, though this process knew it', async () => {
    await enter();
    const [before] = await stored();
    await server.deps.db.deleteFrom('visit_snapshots').execute();
    await enter();
    expect(await stored()).toEqual([before]);
  });

  it('goes with a work that is undone', async () => {
    const { db, inTransaction } = server.deps;
    const row = await db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
    const work = inTransaction(async (tx) => {
      const taken = await takeStored(tx, row);
      await keepSnapshot(tx, taken);
      expect(await findSnapshot(tx, taken.hash)).toBe(taken.body);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await stored()).toEqual([]);
  });

  it('is kept once where several keep it at once', async () => {
    const kept = { hash: 'h', body: '{}' };
    await Promise.all([1, 2, 3, 4].map(() => server.deps.inTransaction((tx) => keepSnapshot(tx, kept))));
    expect(await stored()).toEqual([kept]);
  });
});
