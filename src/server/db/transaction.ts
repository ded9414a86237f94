import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { InTransaction } from '../deps.ts';
import { isDiskFull, isSerializationFailure } from './errors.ts';
import type { StatementNames } from './prepared.ts';
import type { Db, Tables } from './tables.ts';
import { toDatabaseUnavailable } from './unavailable.ts';
import { assertNotInTransaction, runScoped } from './work-scope.ts';

/** How long a batch takes up further works, in ms: a longer one would keep the loop from everything else. */
const BATCH_MS = 4;
/** So many share a commit however long they take, for a commit costs more than they do. */
const MIN_BATCH = 8;
/** How often the loop turns before a batch, at most, while each turn brings further works: Node accepts one connection a turn. */
const MAX_LOOP_TURNS = 8;
const ATTEMPTS = 3;

/**
 * A work waiting for its turn. `run` returns how to settle the caller's promise once the batch is durable, and rejects with what the work
 * threw.
 */
type QueuedWork = { run(tx: Db): Promise<() => void>; refuse(error: unknown): void };

/**
 * The door for SQLite. Works that arrive together share one `BEGIN IMMEDIATE … COMMIT`, one after the other. When one of them throws, all that
 * the batch did is undone, and its works run once more, each in a savepoint of its own: as on PostgreSQL a work must do nothing but queries
 * that can be repeated. When the commit itself fails, all of them are refused with `DatabaseUnavailable` and none is kept.
 *
 * A work must only wait for its own queries (no file, network or password hash), for the others wait for it.
 */
export function sqliteTransactions(db: Kysely<Tables>): InTransaction {
  const queue: QueuedWork[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      for (let turn = 0, known = -1; turn < MAX_LOOP_TURNS && queue.length > known; turn += 1) {
        known = queue.length;
        await nextTurn();
      }
      await runBatch(db, queue);
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      assertNotInTransaction();
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
): QueuedWork {
  const inCallersContext = AsyncLocalStorage.snapshot();
  return {
    refuse: reject,
    async run(tx) {
      const value = await inCallersContext(() => runScoped(tx, work));
      return () => resolve(value);
    },
  };
}

/** Takes works off the queue for as long as a batch may last, and settles them once they are durable. */
async function runBatch(db: Kysely<Tables>, queue: QueuedWork[]): Promise<void> {
  const batch: QueuedWork[] = [];
  let thrown = false;
  const noteThrow = (error: unknown) => {
    thrown = true;
    throw error;
  };
  try {
    const settle = await db.transaction().execute(async (tx) => {
      const settlements: (() => void)[] = [];
      const until = performance.now() + BATCH_MS;
      while (batch.length < MIN_BATCH || performance.now() < until) {
        const next = queue.shift();
        if (next === undefined) break;
        batch.push(next);
        settlements.push(await next.run(tx).catch(noteThrow));
      }
      return settlements;
    });
    for (const settled of settle) settled();
  } catch (error) {
    if (thrown) await runWithSavepoints(db, batch);
    // It could not begin, or not be kept: whoever waits for it is told.
    else
      for (const work of batch.length > 0 ? batch : queue.splice(0))
        work.refuse(toDatabaseUnavailable(error));
  }
}

/** The works of a batch that was undone, so that one that throws hurts none of the others. */
async function runWithSavepoints(db: Kysely<Tables>, batch: readonly QueuedWork[]): Promise<void> {
  try {
    const settle = await db.transaction().execute(async (tx) => {
      const settlements: (() => void)[] = [];
      for (const work of batch) {
        await sql`savepoint work`.execute(tx);
        settlements.push(await work.run(tx).catch((error: unknown) => undo(tx, work, error)));
        await sql`release work`.execute(tx);
      }
      return settlements;
    });
    for (const settled of settle) settled();
  } catch (error) {
    for (const work of batch) work.refuse(toDatabaseUnavailable(error));
  }
}

async function undo(tx: Db, work: QueuedWork, error: unknown): Promise<() => void> {
  // When the disk is full SQLite may have undone everything: then that is what all of them are told.
  await sql`rollback to work`.execute(tx).catch((undone: unknown) => {
    throw isDiskFull(error) ? error : undone;
  });
  return () => work.refuse(toDatabaseUnavailable(error));
}

/** The same door; a work for which there was no room on the disk lets something go for it, and is done once more. */
export function retryWhenDiskFull(door: InTransaction, letGo: () => void): InTransaction {
  return (work) =>
    door(work).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
      letGo();
      return door(work);
    });
}

/**
 * The door for PostgreSQL: a transaction for each work. One that got in the way of another (serialization failure, deadlock), or during
 * which a prepared name was refused, runs again, at most three times in all, so a work must do nothing but queries that can be repeated.
 */
export function postgresTransactions(
  db: Kysely<Tables>,
  names: Pick<StatementNames, 'refused'>,
): InTransaction {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      const without = names.refused();
      try {
        return await db.transaction().execute((tx) => runScoped(tx, work));
      } catch (error) {
        const again = isSerializationFailure(error) || names.refused() !== without;
        if (!again || attempt === ATTEMPTS) throw toDatabaseUnavailable(error);
      }
      await delay(attempt * 10 * (1 + Math.random()));
    }
  };
}
