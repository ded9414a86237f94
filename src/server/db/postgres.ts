import { type Dialect, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import { assertOutsideWork } from './work-scope.ts';

const INT8 = 20;

export type PoolOptions = {
  size: number;
  /** In ms. */
  statementTimeout: number;
  /** Told of connections that die, as when the database restarts. */
  onConnectionError: (error: Error) => void;
};

/** A pool that never waits for ever: 3 s for a connection, `statementTimeout` for a statement, 10 s idle inside a transaction. */
export function createPool(connectionString: string, options: PoolOptions): Pool {
  const pool = new Pool({
    connectionString,
    max: options.size,
    connectionTimeoutMillis: 3_000,
    statement_timeout: options.statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    application_name: 'sorpresa',
    types: { getTypeParser },
  });
  // A connection that dies between two queries, idle or lent, would take the process with it if nobody listened.
  pool.on('error', options.onConnectionError);
  pool.on('connect', (client) => client.on('error', options.onConnectionError));
  return pool;
}

/** 64-bit integers as numbers: sizes of files are far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8 && format !== 'binary') return Number;
  return types.getTypeParser(oid, format);
};

/** Kysely on the pool. Closing the Kysely instance ends the pool. */
export function postgresDialect(pool: Pool): Dialect {
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      connect: async () => {
        assertOutsideWork();
        return pool.connect();
      },
    },
  });
}
