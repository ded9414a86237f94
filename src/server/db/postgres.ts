import { type Dialect, PostgresDialect } from 'kysely';
import { Client, Pool, type PoolClient, type QueryResult, types } from 'pg';
import { createStatementNames, type StatementNames } from './prepared.ts';
import { assertNotInTransaction } from './work-scope.ts';

const INT8 = 20;

export type PoolOptions = {
  size: number;
  /** In ms. */
  statementTimeout: number;
  /** Told of connections that die, as when the database restarts. */
  onConnectionError: (error: Error) => void;
  /** Whether what is asked over and over is prepared under a name: only where no pooler stands between. */
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

/** A pool that never waits for ever: 3 s for a connection, `statementTimeout` for a statement, 10 s idle inside a transaction. */
export function createPool(address: string, options: PoolOptions): Connections {
  const names = createStatementNames(options.prepared ?? false);
  const pool = new Pool({
    Client: clientWith(names),
    connectionString: address,
    max: options.size,
    connectionTimeoutMillis: 3_000,
    statement_timeout: options.statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    // Questions that are asked together wait for no answer of each other. Each ends in a sync of its own, so that one that fails leaves the
    // others their answers.
    pipeline: true,
    application_name: 'sorpresa',
    types: { getTypeParser },
  });
  // A connection that dies between two queries, idle or lent, would take the process with it if nobody listened.
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
 * A connection on which what is asked in one turn leaves in one write. By itself `pg` writes for each question, and a write costs more than
 * the question: the system's call, and the server's process woken for it. What has a name is prepared under it; where the name is refused
 * the same is asked once more, which inside a transaction is in vain: there the door runs the work again.
 */
function clientWith(names: StatementNames) {
  return class extends Client {
    override query = ((...asked: Parameters<Client['query']>) => {
      const { stream } = this.connection;
      stream.cork();
      // After all that is asked by promises that are settled by now.
      process.nextTick(() => stream.uncork());
      const [text, values] = asked;
      const name = typeof text === 'string' && Array.isArray(values) ? names.of(text) : undefined;
      if (name === undefined) return super.query(...asked);
      return super.query({ name, text, values }).catch((error: unknown) => {
        if (!names.refusedBy(error)) throw error;
        return super.query(text, values);
      });
    }) as Client['query'];
  };
}

/** 64-bit integers as numbers: sizes of files are far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8 && format !== 'binary') return Number;
  return types.getTypeParser(oid, format);
};

/** Kysely on the pool. Closing the Kysely instance ends the pool. */
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
