import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InTransaction } from '../../src/server/deps.ts';
import { type BusMessage, type LiveBus, memoryLiveBus } from '../../src/server/live/bus.ts';
import { LiveBusNotReceiving, postgresLiveBus } from '../../src/server/live/bus-postgres.ts';
import {
  type CloseConnection,
  createConnections,
  type SessionConnections,
} from '../../src/server/live/connections.ts';
import { postgresDatabase, sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';
import { configure, enterOrThrow, makeCode } from '../support/visits.ts';

/** Two nodes of one installation; the same bus twice if there is a single process. */
type Nodes = {
  here: LiveBus;
  there: LiveBus;
  inTransaction: InTransaction;
  errors: unknown[];
  end(): Promise<void>;
};

const implementations: [string, () => Promise<Nodes>][] = [
  ['memory', memoryNodes],
  ['postgres', postgresNodes],
];

const changed: BusMessage = { type: 'changed', topics: ['sessions', 'logs'] };
const answers: BusMessage = { type: 'changed', topics: ['answers'] };
const resync: BusMessage = { type: 'resync' };

const disconnected = (...session_ids: string[]): BusMessage => ({
  type: 'disconnected',
  session_ids,
  disconnection: { reason: 'token_revoked', contatto: '@giulià 🌹' },
});

describe.each(implementations)('live bus in %s', (_name, open) => {
  let nodes: Nodes;
  let subscribers: ReturnType<typeof subscribeTo>[];
  beforeAll(async () => {
    nodes = await open();
  });
  afterAll(() => nodes.end());
  beforeEach(() => {
    subscribers = [subscribeTo(nodes.here), subscribeTo(nodes.here), subscribeTo(nodes.there)];
  });
  afterEach(() => {
    for (const { stop } of subscribers) stop();
  });

  it('delivers each message once to every subscriber of every node, in order', async () => {
    expect(nodes.here.isReceiving()).toBe(true);
    const messages = Array.from({ length: 20 }, (_, n) => disconnected(`s${n}`));
    for (const message of messages) await nodes.here.publish(message);
    await nodes.here.publish(changed);
    // Subscribers of the publishing node receive it at once.
    expect(subscribers[0]?.heard).toHaveLength(21);
    for (const { heard } of subscribers) {
      await vi.waitFor(() => expect(heard.at(-1)).toEqual(changed));
      expect(heard).toEqual([...messages, changed]);
    }
  });

  it('combines many changes at once without losing a topic', async () => {
    const topics = ({ heard }: (typeof subscribers)[0]) =>
      new Set(heard.flatMap((message) => (message.type === 'changed' ? message.topics : [])));
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => nodes.here.publish(n === 150 ? answers : changed)),
    );
    for (const subscriber of subscribers)
      await vi.waitFor(() => expect(topics(subscriber)).toEqual(new Set(['sessions', 'logs', 'answers'])));
    if (nodes.there !== nodes.here) expect(subscribers[2]?.heard.length).toBeLessThan(10);
  });

  it('delivers lists of any length completely', async () => {
    const ids = Array.from(
      { length: 2_000 },
      (_, n) => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`,
    );
    await nodes.here.publish(disconnected(...ids));
    for (const { heard } of subscribers) {
      const received = () =>
        heard.flatMap((message) => (message.type === 'disconnected' ? message.session_ids : []));
      await vi.waitFor(() => expect(received()).toEqual(ids));
      expect(heard[0]).toMatchObject({ disconnection: { reason: 'token_revoked', contatto: '@giulià 🌹' } });
    }
  });

  it('publishes with the commit of a transaction, and nothing after a rollback', async () => {
    const undone = nodes.inTransaction(async (tx) => {
      await nodes.here.publishInTransaction(tx, disconnected('undone'));
      throw new RangeError('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const publishLocally = await nodes.inTransaction((tx) =>
      nodes.here.publishInTransaction(tx, disconnected('s1')),
    );
    if (nodes.there !== nodes.here) await vi.waitFor(() => expect(subscribers[2]?.heard).not.toEqual([]));
    expect(subscribers[0]?.heard).toEqual([]);
    publishLocally();
    for (const { heard } of subscribers) expect(heard).toEqual([disconnected('s1')]);
  });

  it('delivers to other listeners when one throws or unsubscribes', async () => {
    const deaf = nodes.there.subscribe(() => {
      throw new RangeError('deaf');
    });
    const once = vi.fn((): void => stop());
    const stop = nodes.there.subscribe(once);
    subscribers[1]?.stop();
    subscribers[1]?.stop();
    const last = subscribeTo(nodes.there);
    for (const message of [changed, answers]) await nodes.here.publish(message);
    await vi.waitFor(() => expect(last.heard).toEqual([changed, answers]));
    expect(nodes.errors).toEqual([new RangeError('deaf'), new RangeError('deaf')]);
    expect(subscribers[1]?.heard).toEqual([]);
    expect(once).toHaveBeenCalledOnce();
    for (const end of [deaf, last.stop]) end();
  });
});

function subscribeTo(bus: LiveBus) {
  const heard: BusMessage[] = [];
  return { heard, stop: bus.subscribe((message) => heard.push(message)) };
}

async function memoryNodes(): Promise<Nodes> {
  const errors: unknown[] = [];
  const bus = memoryLiveBus((error) => errors.push(error));
  const database = await sqliteDatabase();
  const end = async () => {
    await bus.close();
    await database.drop();
  };
  return { here: bus, there: bus, inTransaction: database.inTransaction, errors, end };
}

async function postgresWithPool() {
  const database = await postgresDatabase();
  if (database.kind !== 'postgres') throw new TypeError('Not PostgreSQL');
  return database;
}

async function postgresNodes(): Promise<Nodes> {
  const errors: unknown[] = [];
  const database = await postgresWithPool();
  const address = database.env.DATABASE_DIRECT_URL;
  const options = { ...database, address, onError: (error: unknown) => errors.push(error) };
  const [here, there] = [await postgresLiveBus(options), await postgresLiveBus(options)];
  const end = async () => {
    await here.close();
    await there.close();
    await database.drop();
  };
  return { here, there, inTransaction: database.inTransaction, errors, end };
}

describe('node of several on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof postgresWithPool>>;
  let proxy: TcpProxy;
  /** The node whose connection to the bus can be cut. */
  let node: LiveBus;
  let other: LiveBus;
  let heard: BusMessage[];
  let failures: unknown[];
  beforeEach(async () => {
    database = await postgresWithPool();
    const address = new URL(database.env.DATABASE_URL ?? '');
    proxy = await tcpProxy(Number(address.port));
    address.port = String(proxy.port);
    [heard, failures] = [[], []];
    const { pool } = database;
    const onError = (error: unknown) => failures.push(error);
    node = await postgresLiveBus({ pool, address: address.href, onError });
    other = await postgresLiveBus({ pool, onError: () => undefined });
    node.subscribe((message) => heard.push(message));
  });
  afterEach(async () => {
    await node.close();
    await other.close();
    await proxy.close();
    await database.drop();
  });
  const within = (timeout: number) => ({ timeout, interval: 20 });
  const expectResync = (timeout: number) =>
    vi.waitFor(() => expect(heard).toContainEqual(resync), within(timeout));

  it('requests a resync while the network is away and when it returns, and can be closed during an outage', async () => {
    proxy.set('silent');
    await other.publish(changed);
    // Six seconds is the longest time for a revocation to reach a node that is cut off.
    await expectResync(6_000);
    proxy.set('cut');
    failures.length = 0;
    // Each failed reconnection is logged.
    await vi.waitFor(() => expect(failures).not.toEqual([]), within(5_000));
    heard.length = 0;
    proxy.set('pass');
    await expectResync(5_000);
    await vi.waitFor(async () => {
      await other.publish(changed);
      expect(heard).toContainEqual(changed);
    }, within(5_000));
    heard.length = 0;
    proxy.set('cut');
    await expectResync(1_000);
    proxy.set('silent');
    await node.close();
  });

  it('publishes without failing while the database is away, and requests a resync afterwards', async () => {
    const querySpy = vi
      .spyOn(database.pool, 'query')
      .mockImplementationOnce(() => Promise.reject(new Error('Connection terminated')));
    await other.publish(changed);
    expect(querySpy).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(heard).toEqual([resync]), within(4_000));
  });

  it('detects that it receives nothing if it listens on another database than it publishes to', async () => {
    const elsewhere = await postgresDatabase();
    const errors: unknown[] = [];
    const deaf = await postgresLiveBus({
      pool: database.pool,
      address: elsewhere.env.DATABASE_URL,
      onError: (error) => errors.push(error),
    });
    expect([deaf.isReceiving(), other.isReceiving()]).toEqual([false, true]);
    expect(errors).toEqual([new LiveBusNotReceiving()]);
    await deaf.close();
    await elsewhere.drop();
  });
});

/** Connections that are closed, and the reasons. tests/api/live.test.ts shows it over HTTP. */
describe('connections of visits', () => {
  let server: TestServer;
  let connections: SessionConnections;
  let readable: boolean;
  const warn = vi.fn();
  beforeEach(async () => {
    server = await openTestServer(sqliteDatabase);
    await configure(server, { contatto: '@anna' });
    readable = true;
    warn.mockClear();
    const { db } = server.deps;
    const selectFrom = ((...tables: Parameters<typeof db.selectFrom>) => {
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

  const news = () => server.deps.live.publish({ type: 'changed', topics: ['sessions'] });

  /** Starts a visit with a connection. */
  async function connected() {
    const token = await makeCode(server);
    const { session_id } = await enterOrThrow(server, token.token);
    const cut = vi.fn<CloseConnection>();
    const change = (fields: object) =>
      server.deps.db.updateTable('active_sessions').set(fields).where('id', '=', session_id).execute();
    connections.register(session_id, cut);
    return { token, session_id, cut, change };
  }
  const COMPLETED = { completed_at: '2027-02-14T19:00:00.000Z' };

  it('are closed for visits that ended in the database, after a change of sessions', async () => {
    const { db } = server.deps;
    const turnOff = ({ token }: Awaited<ReturnType<typeof connected>>) =>
      db.updateTable('tokens').set({ attivo: false }).where('id', '=', token.id).execute();
    const closedWith = (reason: string) => [[{ reason, contatto: '@anna' }]];
    const visits = {
      forced: closedWith('token_deleted'),
      off: closedWith('token_revoked'),
      gone: closedWith('token_revoked'),
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
    await news();
    await vi.waitFor(() => expect(made.erased.cut).toHaveBeenCalled());
    expect(Object.fromEntries(names.map((name) => [name, made[name].cut.mock.calls]))).toEqual(visits);
  });

  it('stay open after a failed check, which is logged and repeated at the next change', async () => {
    const { cut, change } = await connected();
    await change(COMPLETED);
    readable = false;
    await news();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(cut).not.toHaveBeenCalled();
    readable = true;
    await server.deps.live.publish({ type: 'resync' });
    await vi.waitFor(() => expect(cut).toHaveBeenCalledOnce());
  });
});
