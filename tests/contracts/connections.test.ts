import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connections, type Cut, createConnections } from '../../src/server/live/connections.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

/** Who is cut, and what for. tests/api/live.test.ts shows the same over HTTP, tests/api/live-nodes.test.ts between two nodes. */

let server: TestServer;
let connections: Connections;
let looks: number;
let readable: boolean;
const warned: unknown[] = [];
beforeEach(async () => {
  server = await openTestServer(sqliteDatabase);
  await configure(server, { contatto: '@anna' });
  [looks, readable] = [0, true];
  const { db } = server.deps;
  const selectFrom = ((...tables: Parameters<typeof db.selectFrom>) => {
    looks += 1;
    if (!readable) throw new Error('no database');
    return db.selectFrom(...tables);
  }) as typeof db.selectFrom;
  const counted = new Proxy(db, {
    get: (_db, name) => (name === 'selectFrom' ? selectFrom : Reflect.get(db, name)),
  });
  const log = { warn: (what: unknown) => void warned.push(what) } as unknown as typeof server.deps.log;
  connections = createConnections({ ...server.deps, db: counted, log });
});
afterEach(async () => {
  connections.close();
  warned.splice(0);
  await server.close();
});

const news = (...topics: ('sessions' | 'logs')[]) => server.deps.live.publish({ type: 'changed', topics });

/** A visit that is answered: what it was cut for. */
async function answered() {
  const token = await makeCode(server);
  const { session_id } = await comeIn(server, token.token);
  const cut = vi.fn<Cut>();
  return { token, session_id, cut, letGo: connections.hold(session_id, cut) };
}
const change = (id: string, fields: object) =>
  server.deps.db.updateTable('active_sessions').set(fields).where('id', '=', id).execute();

test('whoever is said to be disconnected is cut, with the reason, in all they hold; nobody else, and nothing that has ended', async () => {
  const [hers, others] = [await answered(), await answered()];
  const [second, ended] = [vi.fn<Cut>(), vi.fn<Cut>()];
  connections.hold(hers.session_id, second);
  connections.hold(hers.session_id, ended)();
  const disconnection = { reason: 'token_deleted', contatto: null } as const;
  const message = { type: 'disconnected', session_ids: [hers.session_id, 'unknown'], disconnection } as const;
  await server.deps.live.publish({ ...message, session_ids: [...message.session_ids] });
  for (const cut of [hers.cut, second]) expect(cut).toHaveBeenCalledExactlyOnceWith(disconnection);
  for (const cut of [others.cut, ended]) expect(cut).not.toHaveBeenCalled();
});

test('after news of the sessions those that are over are found in the database', async () => {
  const made = [];
  for (let n = 0; n < 6; n += 1) made.push(await answered());
  const [forced, off, gone, completed, erased, alive] = made as [
    Answered,
    Answered,
    Answered,
    Answered,
    Answered,
    Answered,
  ];
  const { db } = server.deps;
  await change(forced.session_id, { disconnection_reason: 'token_deleted', is_active: false });
  await db.updateTable('tokens').set({ attivo: false }).where('id', '=', off.token.id).execute();
  await db.deleteFrom('tokens').where('id', '=', gone.token.id).execute();
  await db.updateTable('tokens').set({ attivo: false }).where('id', '=', completed.token.id).execute();
  await change(completed.session_id, { completed_at: '2027-02-14T19:00:00.000Z' });
  await db.deleteFrom('active_sessions').where('id', '=', erased.session_id).execute();
  await news('sessions');
  await vi.waitFor(() => expect(erased.cut).toHaveBeenCalled());
  const contatto = '@anna';
  expect(made.map(({ cut }) => cut.mock.calls)).toEqual([
    [[{ reason: 'token_deleted', contatto }]],
    [[{ reason: 'token_revoked', contatto }]],
    [[{ reason: 'token_revoked', contatto }]],
    [[null]],
    [[null]],
    [],
  ]);
  expect(alive.cut).not.toHaveBeenCalled();
});
type Answered = Awaited<ReturnType<typeof answered>>;

test('many news are one look, and news of something else none; nor is one taken for nobody', async () => {
  await news('sessions');
  const { session_id, cut, letGo } = await answered();
  await news('logs');
  letGo();
  await news('sessions');
  connections.hold(session_id, cut);
  looks = 0;
  await change(session_id, { completed_at: '2027-02-14T19:00:00.000Z' });
  for (let times = 0; times < 5; times += 1) await news('logs', 'sessions');
  await vi.waitFor(() => expect(cut).toHaveBeenCalled());
  expect(cut).toHaveBeenCalledOnce();
  // The sessions, and what the disconnected are told.
  expect(looks).toBe(2);
  await server.deps.live.publish({ type: 'resync' });
  await vi.waitFor(() => expect(cut).toHaveBeenCalledTimes(2));
});

test('a look that fails is told, cuts nobody, and the next one comes', async () => {
  const { session_id, cut } = await answered();
  await change(session_id, { completed_at: '2027-02-14T19:00:00.000Z' });
  readable = false;
  await news('sessions');
  await vi.waitFor(() => expect(warned).toHaveLength(1));
  expect(cut).not.toHaveBeenCalled();
  readable = true;
  await news('sessions');
  await vi.waitFor(() => expect(cut).toHaveBeenCalledOnce());
});

test('closed they hear nothing any more', async () => {
  const { session_id, cut } = await answered();
  connections.close();
  const disconnection = { reason: 'token_revoked', contatto: null } as const;
  await server.deps.live.publish({ type: 'disconnected', session_ids: [session_id], disconnection });
  expect(cut).not.toHaveBeenCalled();
});
