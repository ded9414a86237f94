import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionSchema } from '../../src/contract/admin/sessions.ts';
import { listSessions } from '../../src/server/features/sessions/session-list.service.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { hashOf } from '../../src/server/features/visit/cookie-secret.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { keepSnapshot } from '../../src/server/features/visit/snapshots.repo.ts';
import { reportPosition } from '../../src/server/features/visit/visit.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { comeIn, configure, holderOf, makeCode, visitorOf, walkTo } from '../support/visits.ts';

let server: TestServer;
let token: Awaited<ReturnType<typeof makeCode>>;
beforeEach(async () => {
  server = await openTestServer(sqliteDatabase);
  await configure(server, {
    frasi_pre_video: ['Una', '  ', 'Due'],
    frasi_finali_secondo_viaggio: ['Fine'],
  });
  token = await makeCode(server, { max_accessi: 50 });
});
afterEach(() => server.close());

const list = () => listSessions(server.deps, server.actor);
const leave = async (secret: string, state: 'background' | 'closed') =>
  trackUserExit(server.deps, await holderOf(server, secret), {
    state,
    exitPoint: 'during_post_phrases',
    seq: 1,
  });

test('is empty while nobody came', async () => {
  expect(await list()).toEqual({ attive: [], terminate: [], conteggi: { attive: 0, terminate: 0 } });
});

test('shows an open session with its stages and its place', async () => {
  const { secret, session_id } = await comeIn(server, token.token, { device_id: 'device-1-abc' });
  await walkTo(server, secret, 1);
  server.clock.advance(7_000);
  await reportPosition(server.deps, await visitorOf(server, secret), { step: 1, phrase: 0, second: 12.5 });
  const { attive, conteggi } = await list();
  expect(conteggi).toEqual({ attive: 1, terminate: 0 });
  const [first] = attive;
  expect(first).toEqual({
    id: session_id,
    token_value: token.token,
    device_id: 'device-1-abc',
    user_agent: 'Mozilla/5.0 (iPhone)',
    is_active: true,
    state: 'open',
    started_at: '2027-02-14T19:00:00.000Z',
    last_activity: '2027-02-14T19:00:07.000Z',
    disconnected_at: null,
    disconnection_reason: null,
    completed_at: null,
    exit_point: 'during_pre_phrases',
    background: false,
    stages: expect.any(Array),
    position: { step: 1, phrase: 0, second: 12.5 },
    capabilities: null,
  });
  expect(first?.stages.slice(0, 2)).toEqual([
    { stage: 'pre_phrases', viaggio: 1, frasi: 2 },
    { stage: 'video', viaggio: 1, frasi: null },
  ]);
  expect(first?.stages.at(-1)).toEqual({ stage: 'closing', viaggio: 2, frasi: 1 });
  expect(sessionSchema.safeParse(first).success).toBe(true);
});

test('keeps its secrets', async () => {
  const { secret, session_id } = await comeIn(server, token.token);
  const row = await server.deps.db
    .selectFrom('active_sessions')
    .selectAll()
    .where('id', '=', session_id)
    .executeTakeFirstOrThrow();
  const told = JSON.stringify(await list());
  expect([secret, hashOf(secret), row.attempt_id, token.id].filter((kept) => told.includes(kept))).toEqual(
    [],
  );
  expect(told).not.toContain('Una');
});

test('tells who is in the background and why a session ended', async () => {
  const hidden = await comeIn(server, token.token);
  await leave(hidden.secret, 'background');
  const left = await comeIn(server, token.token);
  server.clock.advance(5_000);
  await leave(left.secret, 'closed');
  const { attive, terminate, conteggi } = await list();
  expect(conteggi).toEqual({ attive: 1, terminate: 1 });
  expect(attive).toMatchObject([{ id: hidden.session_id, background: true }]);
  expect(terminate).toMatchObject([
    {
      id: left.session_id,
      is_active: false,
      state: 'paused',
      disconnected_at: '2027-02-14T19:00:05.000Z',
      disconnection_reason: 'user_logout',
      exit_point: 'during_post_phrases',
      background: false,
    },
  ]);
});

test('shows every open one and the latest ten that ended, and counts all', async () => {
  const started: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    server.clock.advance(1_000);
    const { session_id, secret } = await comeIn(server, token.token);
    if (n % 2 === 0) await leave(secret, 'closed');
    started.unshift(session_id);
  }
  const { attive, terminate, conteggi } = await list();
  expect(conteggi).toEqual({ attive: 12, terminate: 13 });
  expect(attive.map(({ id }) => id)).toEqual(started.filter((_id, index) => index % 2 === 1));
  expect(terminate.map(({ id }) => id)).toEqual(started.filter((_id, index) => index % 2 === 0).slice(0, 10));
});

test('a visit whose stored content can’t be read has no stages, and the others are whole', async () => {
  const broken = await comeIn(server, token.token);
  const whole = await comeIn(server, token.token);
  for (const body of ['{', '{"config":{}}', 'null', null]) {
    const snapshot_hash = `hash of ${body}`;
    if (body !== null) await keepSnapshot(server.deps.db, { hash: snapshot_hash, body });
    await server.deps.db
      .updateTable('active_sessions')
      .set({ snapshot_hash, exit_point: 'elsewhere' })
      .where('id', '=', broken.session_id)
      .execute();
    const { attive } = await list();
    expect(attive.find(({ id }) => id === broken.session_id)).toMatchObject({
      stages: [],
      exit_point: null,
    });
    expect(attive.find(({ id }) => id === whole.session_id)?.stages.length).toBeGreaterThan(5);
  }
});

test('a revoked code’s sessions are among the ended ones', async () => {
  await comeIn(server, token.token);
  await setTokenActive(server.deps, server.actor, { id: token.id, attivo: false });
  expect(await list()).toMatchObject({
    attive: [],
    terminate: [{ token_value: token.token, disconnection_reason: 'token_revoked' }],
  });
});
