import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, DatabaseConnection, KyselyPlugin, QueryResult } from 'kysely';
import { setExecutor } from './statement.ts';
import type { Db } from './tables.ts';

type TransactionScope = { open: boolean };

const current = new AsyncLocalStorage<TransactionScope>();

/**
 * Refuses to reach for a connection from inside a work. The work holds one already: on SQLite it would wait for itself for ever, on
 * PostgreSQL it would quietly leave its own transaction.
 */
export function assertNotInTransaction(): void {
  if (current.getStore()?.open) throw new Error('Inside a transaction every query goes through `tx`');
}

/**
 * Runs a work on its transaction, to the end of every query it has asked for, awaited or not. After that its `tx` refuses queries: a
 * straggler would land in somebody else's transaction.
 */
export async function runScoped<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const scope: TransactionScope = { open: true };
  const connection = await tx.getExecutor().provideConnection(async (own) => own);
  const scoped = tx.withPlugin(onlyWhileOpen(scope));
  const asked = new Set<Promise<unknown>>();
  setExecutor(scoped, (query) => trackPending(asked, ask(connection, query, scope)));
  try {
    return await current.run(scope, () => work(scoped));
  } finally {
    scope.open = false;
    await Promise.allSettled(asked);
    // The connection is lent in order of asking: who gets it now is behind every query of the work.
    await tx.getExecutor().provideConnection(async () => undefined);
  }
}

async function ask<R>(
  connection: DatabaseConnection,
  query: CompiledQuery<R>,
  scope: TransactionScope,
): Promise<QueryResult<R>> {
  refuseStraggler(scope);
  return connection.executeQuery(query);
}

function trackPending<R>(asked: Set<Promise<unknown>>, answer: Promise<R>): Promise<R> {
  asked.add(answer);
  return answer;
}

function refuseStraggler({ open }: TransactionScope): void {
  if (!open) throw new Error('This transaction has ended: a query was not awaited');
}

function onlyWhileOpen(scope: TransactionScope): KyselyPlugin {
  return {
    transformQuery({ node }) {
      refuseStraggler(scope);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
