import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BusMessage, LiveBus } from '../../src/server/live/bus.ts';
import { LiveBusDeaf, postgresLiveBus } from '../../src/server/live/bus-postgres.ts';
import { emptyPostgres, postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

const changed: BusMessage = { type: 'changed', topics: ['sessions', 'logs'] };

/** A node whose live connection can be cut, and one that can't. */
let database: TestDatabase;
let proxy: TcpProxy;
let cut: LiveBus;
let whole: LiveBus;
let heard: BusMessage[];
let failures: unknown[];

beforeEach(async () => {
  database = await postgresDatabase();
  if (database.kind !== 'postgres') throw new TypeError('Not PostgreSQL');
  const address = new URL(database.env.DATABASE_URL ?? '');
  proxy = await tcpProxy(Number(address.port));
  address.port = String(proxy.port);
  const options = { pool: database.pool, onError: () => undefined };
  failures = [];
  cut = await postgresLiveBus({
    ...options,
    address: address.href,
    onError: (error) => failures.push(error),
  });
  whole = await postgresLiveBus(options);
  heard = [];
  cut.subscribe((message) => heard.push(message));
});
afterEach(async () => {
  await cut.close();
  await whole.close();
  await proxy.close();
  await database.drop();
});

const within = (timeout: number) => ({ timeout, interval: 20 });

it.each(['cut', 'silent'] as const)(
  'asks to read again while the network is %s and when it is back',
  async (mode) => {
    proxy.set(mode);
    await whole.publish(changed);
    // Six seconds is what a revocation may take to reach a node cut off from the others.
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'resync' }), within(6_000));
    // Each try to come back that fails is told to the log.
    proxy.set('cut');
    failures.length = 0;
    await vi.waitFor(() => expect(failures).not.toEqual([]), within(5_000));
    heard.length = 0;
    proxy.set('pass');
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'resync' }), within(5_000));
    heard.length = 0;
    await vi.waitFor(async () => {
      await whole.publish(changed);
      expect(heard).toContainEqual(changed);
    }, within(5_000));
  },
);

it('closes while it is cut off', async () => {
  proxy.set('silent');
  const started = performance.now();
  await cut.close();
  expect(performance.now() - started).toBeLessThan(3_000);
});

it('publishes without failing while the database is away, and makes up for it', async () => {
  if (database.kind !== 'postgres') throw new TypeError('Not PostgreSQL');
  const asked = vi
    .spyOn(database.pool, 'query')
    .mockImplementationOnce(() => Promise.reject(new Error('Connection terminated')));
  await whole.publish(changed);
  expect(asked).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(heard).toEqual([{ type: 'resync' }]), within(4_000));
});

it('knows that it hears nothing where it listens at another place than it speaks', async () => {
  if (database.kind !== 'postgres') throw new TypeError('Not PostgreSQL');
  const { env, remove } = await emptyPostgres();
  const errors: unknown[] = [];
  const deaf = await postgresLiveBus({
    pool: database.pool,
    address: env.DATABASE_URL,
    onError: (error) => errors.push(error),
  });
  expect(deaf.hears()).toBe(false);
  expect(errors).toEqual([new LiveBusDeaf()]);
  expect(whole.hears()).toBe(true);
  await deaf.close();
  await remove();
});

it('tells the other nodes of many changes at once in few messages', async () => {
  await Promise.all(Array.from({ length: 500 }, () => whole.publish(changed)));
  await whole.publish({ type: 'changed', topics: ['answers'] });
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ type: 'changed', topics: ['answers'] }));
  expect(heard.length).toBeLessThan(10);
});
