import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Connections, type Cut, createConnections } from '../../src/server/live/connections.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

/** Whose connections are cut, and for what reason. tests/api/live.test.ts shows the same over HTTP, tests/api/live-nodes.test.ts between two nodes. */

let server: TestServer;
let connections: Connections;
let looks: number;
let readable: boolean;
const warn = vi.fn();
beforeEach(async () => {
  server = await openTestServer(sqliteDatabase);
  await configure(server, { contatto: '@anna' });
  [looks, readable] = [0, true];
  warn.mockClear();
  const { db } = server.deps;
  const selectFrom = ((...tables: Parameters<typeof db.selectFrom>) => {
    looks += 1;
    if (!readable) throw new Error('no database');
    return db.selectFrom(...tables);
  }) as typeof db.selectFrom;
  const counted = new Proxy(db, {
    get: (_db, name) => (name === 'selectFrom' ? selectFrom : Reflect.get(db, name)),
  });
  connections = createConnections({ ...server.deps, db: counted, log: { warn } as never });
});
afterEach(async () => {
  connections.close();
  await server.close();
});

const news = (...topics: ('sessions' | 'logs')[]) => server.deps.live.publish({ type: 'changed', topics });

/** A visit with a connection. */
async function connected() {
  const token = await makeCode(server);
  const { session_id } = await comeIn(server, token.token);
  const cut = vi.fn<Cut>();
  const change = (fields: object) =>
    server.deps.db.updateTable('active_sessions').set(fields).where('id', '=', session_id).execute();
  return { token, session_id, cut, change, letGo: connections.hold(session_id, cut) };
}
const COMPLETED = { completed_at: '2027-02-14T19:00:00.000Z' };

it('cuts all connections of a disconnected visit with the reason, until they are closed', async () => {
  const [hers, others] = [await connected(), await connected()];
  const [second, ended] = [vi.fn<Cut>(), vi.fn<Cut>()];
  connections.hold(hers.session_id, second);
  connections.hold(hers.session_id, ended)();
  const disconnection = { reason: 'token_deleted', contatto: null } as const;
  const cut = (...session_ids: string[]) =>
    server.deps.live.publish({ type: 'disconnected', session_ids, disconnection });
  await cut(hers.session_id, 'unknown');
  for (const each of [hers.cut, second]) expect(each).toHaveBeenCalledExactlyOnceWith(disconnection);
  connections.close();
  await cut(others.session_id);
  for (const each of [others.cut, ended]) expect(each).not.toHaveBeenCalled();
});

it('finds the visits that are over in the database, after news of the sessions', async () => {
  const { db } = server.deps;
  const turnOff = ({ token }: Awaited<ReturnType<typeof connected>>) =>
    db.updateTable('tokens').set({ attivo: false }).where('id', '=', token.id).execute();
  const told = (reason: string) => [[{ reason, contatto: '@anna' }]];
  const visits = {
    forced: told('token_deleted'),
    off: told('token_revoked'),
    gone: told('token_revoked'),
    completed: [[null]],
    alive: [],
    erased: [[null]],
  };
  const names = Object.keys(visits) as (keyof typeof visits)[];
  const made = {} as Record<keyof typeof visits, Awaited<ReturnType<typeof connected>>>;
  for (const name of names) made[name] = await connected();
  await made.forced.change({ disconnection_reason: 'token_deleted', is_active: false });
  await turnOff(made.off);
  await db.deleteFrom('tokens').where('id', '=', made.gone.token.id).execute();
  await turnOff(made.completed);
  await made.completed.change(COMPLETED);
  await db.deleteFrom('active_sessions').where('id', '=', made.erased.session_id).execute();
  await news('sessions');
  await vi.waitFor(() => expect(made.erased.cut).toHaveBeenCalled());
  expect(Object.fromEntries(names.map((name) => [name, made[name].cut.mock.calls]))).toEqual(visits);
});

it('looks once for many news, and never for others or for nobody', async () => {
  await news('sessions');
  const { session_id, cut, change, letGo } = await connected();
  await news('logs');
  letGo();
  await news('sessions');
  connections.hold(session_id, cut);
  looks = 0;
  await change(COMPLETED);
  for (let times = 0; times < 5; times += 1) await news('logs', 'sessions');
  await vi.waitFor(() => expect(cut).toHaveBeenCalled());
  expect(cut).toHaveBeenCalledOnce();
  // The sessions, and what the disconnected are told.
  expect(looks).toBe(2);
  await server.deps.live.publish({ type: 'resync' });
  await vi.waitFor(() => expect(cut).toHaveBeenCalledTimes(2));
});

it('warns of a look that fails, cuts nobody, and looks again at the next news', async () => {
  const { cut, change } = await connected();
  await change(COMPLETED);
  readable = false;
  await news('sessions');
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
  expect(cut).not.toHaveBeenCalled();
  readable = true;
  await news('sessions');
  await vi.waitFor(() => expect(cut).toHaveBeenCalledOnce());
});
