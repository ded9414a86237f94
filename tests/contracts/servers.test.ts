import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serversOf } from '../../src/server/db/addresses.ts';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { ping, tryWrite } from '../../src/server/db/ping.ts';
import { whereabouts } from '../../src/server/db/servers.ts';
import { postgresLiveBus } from '../../src/server/live/bus-postgres.ts';
import { type EmptyDatabase, emptyPostgres } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

test.each([
  ['postgres://u:p@a:5432,b:5433/db?x=1', ['postgres://u:p@a:5432/db?x=1', 'postgres://u:p@b:5433/db?x=1']],
  ['postgresql://a,b,c/db', ['postgresql://a/db', 'postgresql://b/db', 'postgresql://c/db']],
  ['postgres://u:p,q@[::1]:5432,[::2]/db', ['postgres://u:p,q@[::1]:5432/db', 'postgres://u:p,q@[::2]/db']],
  ['postgres://u:p@a/db?options=a,b', ['postgres://u:p@a/db?options=a,b']],
  ['postgres://u:p@a/d,b', ['postgres://u:p@a/d,b']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
])('%s names %j', (address, servers) => {
  expect(serversOf(address)).toEqual(servers);
});

/** Two ways to one PostgreSQL, as two servers of which either may go. */
describe('two servers', () => {
  let empty: EmptyDatabase;
  let ways: [TcpProxy, TcpProxy];
  let two: { DATA_DIR: string; DATABASE_URL: string };
  let database: Database & { kind: 'postgres' };

  beforeEach(async () => {
    empty = await emptyPostgres();
    const { DATA_DIR, DATABASE_URL = '' } = empty.env;
    const { host, port } = new URL(DATABASE_URL);
    ways = [await tcpProxy(Number(port)), await tcpProxy(Number(port))];
    const hosts = ways.map((way) => `127.0.0.1:${way.port}`).join(',');
    two = { DATA_DIR, DATABASE_URL: DATABASE_URL.replace(host, hosts) };
    const opened = await openDatabase(two);
    if (opened.kind !== 'postgres') throw new TypeError('Not PostgreSQL');
    database = opened;
  });
  afterEach(async () => {
    for (const way of ways) way.set('pass');
    await database.close();
    for (const way of ways) await way.close();
    await empty.remove();
  });

  const deps = () => ({ inTransaction: database.inTransaction, now: () => new Date() });
  const port = async () => new URL(await database.pool.where.find()).port;

  test('the first that takes writes is taken, and another as soon as it is gone', async () => {
    expect(await port()).toBe(String(ways[0].port));
    ways[0].set('cut');
    await vi.waitFor(() => tryWrite(deps()), { timeout: 30_000 });
    expect(await port()).toBe(String(ways[1].port));
    ways[0].set('pass');
    ways[1].set('cut');
    await vi.waitFor(() => tryWrite(deps()), { timeout: 30_000 });
  });

  test('a server that goes silent is left by the one who listens, and what is still asked there is cut', async () => {
    const bus = await postgresLiveBus({ pool: database.pool, onError: () => undefined });
    // On a connection that is there: one that has to be made is made to the other server, and answers. What the bus has said may be heard before it is answered.
    await ping(database.db);
    ways[0].set('silent');
    const asked = ping(database.db).then(
      () => 'answered',
      () => 'cut',
    );
    await vi.waitFor(async () => expect(await port()).toBe(String(ways[1].port)), { timeout: 60_000 });
    expect(await asked).toBe('cut');
    await ping(database.db);
    expect(bus.hears()).toBe(true);
    await bus.close();
  });

  test('none that is read-only is taken; one is as soon as it is no more', async () => {
    const name = new URL(empty.env.DATABASE_URL ?? '').pathname.slice(1);
    const readOnly = (how: 'on' | 'off') =>
      sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.lit(how)}`.execute(
        database.db,
      );
    await readOnly('on');
    const where = whereabouts(two.DATABASE_URL);
    await expect(where.find()).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    await readOnly('off');
    expect(await where.find()).toContain(String(ways[0].port));
  });
});

test('a server that isn’t there keeps nobody from the other', async () => {
  const { env, remove } = await emptyPostgres();
  const { host } = new URL(env.DATABASE_URL ?? '');
  const DATABASE_URL = (env.DATABASE_URL ?? '').replace(host, `127.0.0.1:${await freePort()},${host}`);
  const { db, close } = await openDatabase({ ...env, DATABASE_URL });
  await ping(db);
  await close();
  await remove();
});
