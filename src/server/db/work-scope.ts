import { AsyncLocalStorage } from 'node:async_hooks';
import type { KyselyPlugin } from 'kysely';
import type { Db } from './tables.ts';

type Scope = { open: boolean };

const current = new AsyncLocalStorage<Scope>();

/**
 * Refuses to reach for a connection from inside a work. The work holds one already: on SQLite it would wait for itself for ever,
 * on PostgreSQL it would quietly leave its own transaction.
 */
export function assertOutsideWork(): void {
  if (current.getStore()?.open) throw new Error('Inside a transaction every query goes through `tx`');
}

/**
 * Runs a work on its transaction, to the end of every query it has asked for, awaited or not. After that its `tx` refuses queries: a
 * straggler would land in somebody else's transaction.
 */
export async function runScoped<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const scope: Scope = { open: true };
  try {
    return await current.run(scope, () => work(tx.withPlugin(onlyWhileOpen(scope))));
  } finally {
    scope.open = false;
    // The connection is lent in order of asking: who gets it now is behind every query of the work.
    await tx.getExecutor().provideConnection(async () => undefined);
  }
}

function onlyWhileOpen(scope: Scope): KyselyPlugin {
  return {
    transformQuery({ node }) {
      if (!scope.open) throw new Error('This transaction has ended: a query was not awaited');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
