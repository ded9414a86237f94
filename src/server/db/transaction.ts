import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type KyselyPlugin,
  type QueryResult,
  sql,
} from 'kysely';
import type { InTransaction } from '../deps.ts';
import { isDiskFull, isSerializationFailure, toDatabaseUnavailable } from './errors.ts';
import { type StatementNames, setExecutor } from './statement.ts';
import type { Db, Tables } from './tables.ts';

/** Time in which a batch accepts further transactions, in ms. It ends before if none waits. A longer one would delay everything else. */
const BATCH_MS = 12;
/** Maximum turns of the event loop before a batch, while each turn brings further transactions: Node accepts one connection per turn. */
const MAX_LOOP_TURNS = 8;
const MAX_ATTEMPTS = 3;

/**
 * A queued transaction. `run` returns a function that settles the caller's promise after the batch is durable; it rejects with the
 * transaction's error.
 */
type QueuedWork = { run(tx: Db): Promise<() => void>; refuse(error: unknown): void };

/**
 * Creates transactions for SQLite. Queued ones share one `BEGIN IMMEDIATE … COMMIT` and run one after the other. If one throws, the batch
 * is rolled back and each runs again in a savepoint; so, as on PostgreSQL, they must consist of repeatable queries. If the commit fails,
 * all reject with `DatabaseUnavailable`. Transactions must not wait for files, network or hashes, because the others wait for them.
 */
export function sqliteTransactions(db: Kysely<Tables>): InTransaction {
  const queue: QueuedWork[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      for (let turn = 0, seen = -1; turn < MAX_LOOP_TURNS && queue.length > seen; turn += 1) {
        seen = queue.length;
        await nextTurn();
      }
      await runBatch(db, queue);
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      assertNotInTransaction();
      queue.push(queueWork(work, resolve, reject));
      if (draining) return;
      draining = true;
      void runOutsideContext(drain);
    });
}

/** The queue serves all callers, so it must not run in the context (request, transaction) of the first one. */
const runOutsideContext = AsyncLocalStorage.snapshot();

function queueWork<T>(
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

/** Runs queued transactions for the duration of a batch, and settles them once they are durable. */
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
      while (performance.now() < until) {
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
    // The batch couldn't begin or commit: all its callers receive the error.
    else
      for (const work of batch.length > 0 ? batch : queue.splice(0))
        work.refuse(toDatabaseUnavailable(error));
  }
}

/** Repeats the transactions of a failed batch, each in a savepoint, so that one that throws doesn't affect the others. */
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
  // On a full disk SQLite may have rolled back everything: all callers then receive that error.
  await sql`rollback to work`.execute(tx).catch((undone: unknown) => {
    throw isDiskFull(error) ? error : undone;
  });
  return () => work.refuse(toDatabaseUnavailable(error));
}

/** Repeats a transaction once after a full disk, when space has been freed. */
export function retryWhenDiskFull(inTransaction: InTransaction, freeSpace: () => void): InTransaction {
  return (work) =>
    inTransaction(work).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
      freeSpace();
      return inTransaction(work);
    });
}

/**
 * Creates transactions for PostgreSQL. After a conflict (serialization failure, deadlock) or a refused prepared name a transaction runs
 * again, at most three times in all; so it must consist of repeatable queries.
 */
export function postgresTransactions(
  db: Kysely<Tables>,
  names: Pick<StatementNames, 'refused'>,
): InTransaction {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      const hadNoNames = names.refused();
      try {
        return await db.transaction().execute((tx) => runScoped(tx, work));
      } catch (error) {
        const isRetryable = isSerializationFailure(error) || names.refused() !== hadNoNames;
        if (!isRetryable || attempt === MAX_ATTEMPTS) throw toDatabaseUnavailable(error);
      }
      await delay(attempt * 10 * (1 + Math.random()));
    }
  };
}

type TransactionScope = { open: boolean };

const current = new AsyncLocalStorage<TransactionScope>();

/**
 * Throws inside a transaction that requests another connection. On SQLite it would wait for itself forever, on PostgreSQL it would silently
 * leave its own transaction.
 */
export function assertNotInTransaction(): void {
  if (current.getStore()?.open) throw new Error('Inside a transaction every query goes through `tx`');
}

/**
 * Runs `work` on its transaction until all its queries have ended, awaited or not. Its `tx` then refuses queries: a late one would run in
 * another transaction.
 */
export async function runScoped<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const scope: TransactionScope = { open: true };
  const connection = await tx.getExecutor().provideConnection(async (leased) => leased);
  const scoped = tx.withPlugin(rejectAfterEnd(scope));
  const pending = new Set<Promise<unknown>>();
  setExecutor(scoped, (query) => trackPending(pending, execute(connection, query, scope)));
  try {
    return await current.run(scope, () => work(scoped));
  } finally {
    scope.open = false;
    await Promise.allSettled(pending);
    // The connection is granted in order of requests, so this one waits for all queries of the transaction.
    await tx.getExecutor().provideConnection(async () => undefined);
  }
}

async function execute<R>(
  connection: DatabaseConnection,
  query: CompiledQuery<R>,
  scope: TransactionScope,
): Promise<QueryResult<R>> {
  assertOpen(scope);
  return connection.executeQuery(query);
}

function trackPending<R>(pending: Set<Promise<unknown>>, answer: Promise<R>): Promise<R> {
  pending.add(answer);
  return answer;
}

function assertOpen({ open }: TransactionScope): void {
  if (!open) throw new Error('This transaction has ended: a query was not awaited');
}

function rejectAfterEnd(scope: TransactionScope): KyselyPlugin {
  return {
    transformQuery({ node }) {
      assertOpen(scope);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
