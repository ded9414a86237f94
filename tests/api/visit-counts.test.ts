import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { countAccesses, countVisit } from '../../src/server/event-log/visit-counts.repo.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.service.ts';
import { eraseEvening } from '../../src/server/features/erase/erase.service.ts';
import { forgetFailedEntries } from '../../src/server/features/logs/retention.ts';
import { countEnded } from '../../src/server/features/sessions/session-list.repo.ts';
import { listSessions } from '../../src/server/features/sessions/session-list.service.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { archiveOf } from '../support/archive.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { newFolder } from '../support/server.ts';
import { attemptOf, comeIn, configure, holderOf, makeCode, tryToEnter } from '../support/visits.ts';

const DAY = 24 * 3_600_000;

/** What is counted as it happens is what counting the rows says, whatever happens to them. */

let server: TestServer;
let token: string;
beforeEach(async () => {
  server = await openTestServer(sqliteDatabase);
  await configure(server);
  token = (await makeCode(server, { max_accessi: 40 })).token;
});
afterEach(() => server.close());

const shown = async () => {
  const { accessi_totali, accessi_per_giorno } = await readDashboard(server.deps, server.actor);
  const { conteggi } = await listSessions(server.deps, server.actor);
  const inTheChart = accessi_per_giorno.reduce((all, { riusciti }) => all + riusciti, 0);
  return { accessi_totali, inTheChart, ...conteggi };
};
const inRows = async () => {
  const { rows } = await sql<Record<string, number | string>>`select
    (select count(*) from access_logs where success = true) as accesses,
    (select count(*) from active_sessions where is_active = true) as open,
    (select count(*) from active_sessions where is_active = false) as ended`.execute(server.deps.db);
  const [accesses, attive, terminate] = ['accesses', 'open', 'ended'].map((name) => Number(rows[0]?.[name]));
  return { accessi_totali: accesses, inTheChart: accesses, attive, terminate };
};

test('counts while many come at once, some beyond the limit, one twice with one attempt', async () => {
  const twice = attemptOf(token);
  const many = Array.from({ length: 45 }, () => tryToEnter(server, token));
  await Promise.all([...many, tryToEnter(server, token, twice), tryToEnter(server, token, twice)]);
  expect(await shown()).toEqual({ accessi_totali: 40, inTheChart: 40, attive: 40, terminate: 0 });
  expect(await shown()).toEqual(await inRows());
});

test('counts nothing where a work is undone', async () => {
  const work = server.deps.inTransaction(async (tx) => {
    await countVisit(tx, { accessi: 1, visite: 1 }, server.clock.now());
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(await shown()).toEqual({ accessi_totali: 0, inTheChart: 0, attive: 0, terminate: 0 });
});

test('counts on after visits have ended, refused tries are forgotten and a month has passed', async () => {
  const { secret } = await comeIn(server, token);
  await comeIn(server, token);
  await tryToEnter(server, 'ROM-NESSUNO');
  await trackUserExit(server.deps, await holderOf(server, secret), {
    state: 'closed',
    exitPoint: 'during_pre_phrases',
    seq: 1,
  });
  expect(await shown()).toEqual({ accessi_totali: 2, inTheChart: 2, attive: 1, terminate: 1 });
  server.clock.advance(91 * DAY);
  expect(await forgetFailedEntries(server.deps)).toBeGreaterThan(0);
  expect(await shown()).toEqual({ ...(await inRows()), inTheChart: 0 });
  expect(await shown()).toMatchObject({ accessi_totali: 2, attive: 1, terminate: 1 });
});

test('counts from nothing on once the evening is erased', async () => {
  await comeIn(server, token);
  const keep = { codes: true, configuration: true, account: true };
  await eraseEvening(server.deps, server.actor, { keep });
  expect(await shown()).toEqual({ accessi_totali: 0, inTheChart: 0, attive: 0, terminate: 0 });
  await configure(server);
  await comeIn(server, token);
  expect(await shown()).toEqual(await inRows());
});

test('counts in an install that was made of an archive', async () => {
  for (let n = 0; n < 3; n += 1) await comeIn(server, token);
  const folder = await newFolder();
  const file = join(folder, 'sorpresa.zip');
  await archiveOf(server.database.env, file);
  const restored = { DATA_DIR: join(folder, 'restored'), DATABASE_URL: undefined };
  await restoreArchive(file, restored, server.clock.now());
  const { db, close } = await openDatabase(restored);
  expect([await countAccesses(db), await countEnded(db)]).toEqual([3, 0]);
  await db.updateTable('active_sessions').set({ is_active: false }).execute();
  expect(await countEnded(db)).toBe(3);
  await close();
  await rm(folder, { recursive: true });
});
