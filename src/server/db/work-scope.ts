import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, KyselyPlugin, QueryResult } from 'kysely';
import { setExecutor } from './statement.ts';
import type { Db } from './tables.ts';

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
