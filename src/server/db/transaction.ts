import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { InTransaction } from '../deps.ts';
import { isNoRoom, isSerializationFailure } from './errors.ts';
import type { Db, Tables } from './tables.ts';
import { named } from './unavailable.ts';
import { assertOutsideWork, runScoped } from './work-scope.ts';

/** Works that share one commit, at most: a larger batch would keep the loop from everything else. */
const BATCH = 64;
const ATTEMPTS = 3;

/** A work waiting for its turn. `run` never rejects: it returns how to settle the caller's promise once the batch is durable. */
type Waiting = { run(tx: Db): Promise<() => void>; refuse(error: unknown): void };

/**
 * The door for SQLite. Works that arrive in the same turn of the loop share one `BEGIN IMMEDIATE … COMMIT`, each in a savepoint of its own,
 * one after the other. When the commit itself fails, all of them are refused with `DatabaseUnavailable` and none is kept.
 *
 * A work must only wait for its own queries (no file, network or password hash), for the others wait for it.
 */
export function sqliteDoor(db: Kysely<Tables>): InTransaction {
  let queue: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    await nextTurn();
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      await runBatch(db, batch);
      await nextTurn();
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      assertOutsideWork();
      queue.push(waiting(work, resolve, reject));
      if (draining) return;
      draining = true;
      void outsideAnyContext(drain);
    });
}

/** The drain serves everybody: it must not run in the context (request, transaction) of whoever came first. */
const outsideAnyContext = AsyncLocalStorage.snapshot();

function waiting<T>(
  work: (tx: Db) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Waiting {
  const inCallersContext = AsyncLocalStorage.snapshot();
  return {
    refuse: reject,
    async run(tx) {
      try {
        const value = await inCallersContext(() => runScoped(tx, work));
        return () => resolve(value);
      } catch (error) {
        // When the disk is full SQLite may have undone everything: then that is what all of them are told.
        await sql`rollback to work`.execute(tx).catch((undone: unknown) => {
          throw isNoRoom(error) ? error : undone;
        });
        return () => reject(named(error));
      }
    },
  };
}

async function runBatch(db: Kysely<Tables>, batch: Waiting[]): Promise<void> {
  try {
    const settle = await db.transaction().execute(async (tx) => {
      const settlements: (() => void)[] = [];
      for (const work of batch) {
        await sql`savepoint work`.execute(tx);
        settlements.push(await work.run(tx));
        await sql`release work`.execute(tx);
      }
      return settlements;
    });
    for (const settled of settle) settled();
  } catch (error) {
    for (const work of batch) work.refuse(named(error));
  }
}

/** The same door; a work for which there was no room on the disk lets something go for it, and is done once more. */
export function roomyDoor(door: InTransaction, letGo: () => void): InTransaction {
  return (work) =>
    door(work).catch((error: unknown) => {
      if (!isNoRoom(error)) throw error;
      letGo();
      return door(work);
    });
}

/**
 * The door for PostgreSQL: a transaction for each work. One that got in the way of another (serialization failure, deadlock) runs again, at
 * most three times in all, so a work must do nothing but queries that can be repeated.
 */
export function postgresDoor(db: Kysely<Tables>): InTransaction {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.transaction().execute((tx) => runScoped(tx, work));
      } catch (error) {
        if (!isSerializationFailure(error) || attempt === ATTEMPTS) throw named(error);
      }
      await delay(attempt * 10 * (1 + Math.random()));
    }
  };
}
