import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { BusMessage, LiveBus } from './live-bus.ts';
import { listen } from './live-bus-listener.ts';
import { memoryLiveBus, type OnBusError } from './live-bus-memory.ts';
import { fromPayload, toPayloads } from './live-bus-payload.ts';

const CHANNEL = 'sorpresa_live';

type Options = { pool: pg.Pool; connectionString: string; onError: OnBusError };

/**
 * The bus of several nodes on one PostgreSQL (LISTEN/NOTIFY). This node's own subscribers hear without the database; when the other nodes
 * can't be told, they are told to re-read as soon as they can. Rejects if the database can't be reached at the start.
 */
export async function postgresLiveBus({ pool, connectionString, onError }: Options): Promise<LiveBus> {
  const self = randomUUID();
  const here = memoryLiveBus(onError);
  let untold = false;

  async function tellOthers(message: BusMessage): Promise<void> {
    try {
      const payloads = toPayloads(self, untold ? { type: 'resync' } : message);
      await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        CHANNEL,
        payloads,
      ]);
      untold = false;
    } catch (error) {
      untold = true;
      onError(error);
    }
  }

  const catchUp = () => {
    if (untold) void tellOthers({ type: 'resync' });
  };
  const stop = await listen({
    connectionString,
    channel: CHANNEL,
    onError,
    onPayload: (payload) => {
      const message = fromPayload(self, payload);
      if (message) void here.publish(message);
    },
    onGap: () => {
      void here.publish({ type: 'resync' });
      catchUp();
    },
    onAlive: catchUp,
  });

  return {
    async publish(message) {
      await here.publish(message);
      await tellOthers(message);
    },
    subscribe: here.subscribe,
    async close() {
      await stop();
      await here.close();
    },
  };
}
