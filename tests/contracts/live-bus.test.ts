import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InTransaction } from '../../src/server/deps.ts';
import type { BusMessage, LiveBus } from '../../src/server/live/bus.ts';
import { memoryLiveBus } from '../../src/server/live/bus-memory.ts';
import { postgresLiveBus } from '../../src/server/live/bus-postgres.ts';
import { postgresDatabase, sqliteDatabase } from '../support/databases.ts';

/** Two nodes of one installation: the same bus twice where there is a single process. */
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

const disconnected = (session_ids: string[]): BusMessage => ({
  type: 'disconnected',
  session_ids,
  disconnection: { reason: 'token_revoked', contatto: '@giulià 🌹' },
});

describe.each(implementations)('the live bus in %s', (_name, open) => {
  let nodes: Nodes;
  beforeEach(async () => {
    nodes = await open();
  });
  afterEach(() => nodes.end());

  it('brings each message once to every subscriber of every node, in order', async () => {
    const ears = [hear(nodes.here), hear(nodes.here), hear(nodes.there)];
    const messages = Array.from({ length: 20 }, (_, n) => disconnected([`s${n}`]));
    for (const message of messages) await nodes.here.publish(message);
    await nodes.here.publish(changed);
    for (const { heard } of ears) {
      await vi.waitFor(() => expect(heard.at(-1)).toEqual(changed));
      expect(heard).toEqual([...messages, changed]);
    }
  });

  it('has told its own node when publish settles', async () => {
    const { heard } = hear(nodes.here);
    await nodes.here.publish(changed);
    expect(heard).toEqual([changed]);
  });

  it('loses no topic when many changes come at once', async () => {
    const ears = [hear(nodes.here), hear(nodes.there)];
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        nodes.here.publish({ type: 'changed', topics: n === 150 ? ['answers'] : ['sessions'] }),
      ),
    );
    for (const { heard } of ears) {
      const topics = () =>
        new Set(heard.flatMap((message) => (message.type === 'changed' ? message.topics : [])));
      await vi.waitFor(() => expect(topics()).toEqual(new Set(['sessions', 'answers'])));
    }
  });

  it('carries lists of any length whole', async () => {
    const ids = Array.from(
      { length: 2_000 },
      (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    const ears = [hear(nodes.here), hear(nodes.there)];
    await nodes.here.publish(disconnected(ids));
    for (const { heard } of ears) {
      const received = () =>
        heard.flatMap((message) => (message.type === 'disconnected' ? message.session_ids : []));
      await vi.waitFor(() => expect(received()).toHaveLength(ids.length));
      expect(received()).toEqual(ids);
      expect(heard[0]).toMatchObject({ disconnection: { reason: 'token_revoked', contatto: '@giulià 🌹' } });
    }
  });

  it('says with a commit what is part of a transaction, and nothing that is undone', async () => {
    const ears = [hear(nodes.here), hear(nodes.there)];
    const undone = nodes.inTransaction(async (tx) => {
      await nodes.here.publishIn(tx, disconnected(['undone']));
      throw new RangeError('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const tellHere = await nodes.inTransaction((tx) => nodes.here.publishIn(tx, disconnected(['s1'])));
    if (nodes.there !== nodes.here) await vi.waitFor(() => expect(ears[1]?.heard).not.toEqual([]));
    expect(ears[0]?.heard).toEqual([]);
    tellHere();
    for (const { heard } of ears) expect(heard).toEqual([disconnected(['s1'])]);
  });

  it('hears itself', () => {
    expect(nodes.here.hears()).toBe(true);
  });

  it('does not let a listener that throws keep the message from the others', async () => {
    nodes.there.subscribe(() => {
      throw new RangeError('deaf');
    });
    const { heard } = hear(nodes.there);
    await nodes.here.publish(changed);
    await vi.waitFor(() => expect(heard).toEqual([changed]));
    expect(nodes.errors).toEqual([new RangeError('deaf')]);
  });

  it('leaves alone who unsubscribed, even from inside a message', async () => {
    const first = hear(nodes.there);
    let calls = 0;
    const stop = nodes.there.subscribe(() => {
      calls += 1;
      stop();
    });
    first.stop();
    first.stop();
    const last = hear(nodes.there);
    await nodes.here.publish(changed);
    await nodes.here.publish(changed);
    await vi.waitFor(() => expect(last.heard).toHaveLength(2));
    expect(first.heard).toEqual([]);
    expect(calls).toBe(1);
  });

  it('says nothing more once closed', async () => {
    const { heard } = hear(nodes.there);
    await nodes.there.close();
    await nodes.here.publish(changed);
    expect(heard).toEqual([]);
  });
});

function hear(bus: LiveBus) {
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

async function postgresNodes(): Promise<Nodes> {
  const errors: unknown[] = [];
  const database = await postgresDatabase();
  if (database.kind !== 'postgres') throw new TypeError('Not PostgreSQL');
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
