import { type Dialect, PostgresDialect } from 'kysely';
import { Client, Pool, type PoolClient, type QueryResult, types } from 'pg';
import { createStatementNames, type StatementNames } from './statement.ts';
import { assertNotInTransaction } from './transaction.ts';

const INT8 = 20;

export type PoolOptions = {
  size: number;
  /** Timeout of a statement in ms. */
  statementTimeout: number;
  /** Receives errors of lost connections, for example when the database restarts. */
  onConnectionError: (error: Error) => void;
  /** Prepares repeated queries under a name; only possible without a pooler. */
  prepared?: boolean;
};

export type Connections = {
  address: string;
  options: Pool['options'];
  end(): Promise<void>;
  connect(): Promise<PoolClient>;
  query(text: string, values: unknown[]): Promise<QueryResult>;
  names: StatementNames;
};

/** Creates a pool with timeouts: 3 s for a connection, `statementTimeout` for a statement, 10 s idle in a transaction. */
export function createPool(address: string, options: PoolOptions): Connections {
  const names = createStatementNames(options.prepared ?? false);
  const pool = new Pool({
    Client: createClientClass(names),
    connectionString: address,
    max: options.size,
    connectionTimeoutMillis: 3_000,
    statement_timeout: options.statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    // Concurrent queries don't wait for each other's answers. Each ends with its own sync, so that a failed one doesn't affect the others.
    pipeline: true,
    application_name: 'sorpresa',
    types: { getTypeParser },
  });
  // Without a listener, a connection lost between two queries would end the process.
  pool.on('error', options.onConnectionError);
  pool.on('connect', (client) => void client.on('error', options.onConnectionError));
  return {
    address,
    names,
    options: pool.options,
    connect: () => pool.connect(),
    async query(text, values) {
      const client = await pool.connect();
      const answer = await client.query(text, values).catch((error: unknown) => {
        client.release(true);
        throw error;
      });
      client.release();
      return answer;
    },
    end: () => pool.end(),
  };
}

/**
 * A client that sends the queries of one loop turn in one write; `pg` writes for each query, and a write costs more than the query. Named
 * queries are prepared. If the name is refused, the query is repeated once without it; inside a transaction that fails too, and
 * `postgresTransactions` repeats the transaction.
 */
function createClientClass(names: StatementNames) {
  return class extends Client {
    override query = ((...args: Parameters<Client['query']>) => {
      const { stream } = this.connection;
      stream.cork();
      // Runs after all queries of promises that have settled by now.
      process.nextTick(() => stream.uncork());
      const [text, values] = args;
      const name = typeof text === 'string' && Array.isArray(values) ? names.of(text) : undefined;
      if (name === undefined) return super.query(...args);
      return super.query({ name, text, values }).catch((error: unknown) => {
        if (!names.refusedBy(error)) throw error;
        return super.query(text, values);
      });
    }) as Client['query'];
  };
}

/** Parses 64-bit integers as numbers: file sizes are far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8 && format !== 'binary') return Number;
  return types.getTypeParser(oid, format);
};

/** Creates Kysely's dialect on the pool. Closing the Kysely instance ends the pool. */
export function postgresDialect(pool: Connections): Dialect {
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      connect: async () => {
        assertNotInTransaction();
        return pool.connect();
      },
    },
  });
}
