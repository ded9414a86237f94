import { type Dialect, PostgresDialect } from 'kysely';
import { Client, Pool, type PoolClient, type QueryResult, types } from 'pg';
import { serversOf } from './addresses.ts';
import { type Names, preparedNames } from './prepared.ts';
import { takesWrites, type Whereabouts, whereabouts } from './servers.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { assertOutsideWork } from './work-scope.ts';

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

/** Connections to the server that takes writes. */
export type Connections = {
  options: Pool['options'];
  end(): Promise<void>;
  connect(): Promise<PoolClient>;
  query(text: string, values: unknown[]): Promise<QueryResult>;
  where: Whereabouts;
  names: Names;
};

/**
 * A pool that never waits for ever: 3 s for a connection, `statementTimeout` for a statement, 10 s idle inside a transaction. Where the address names
 * several servers it is one of a pool each, of which the one that takes writes gives its connections; as soon as another one does, what is still asked of
 * the first is cut.
 */
export function createPool(address: string, options: PoolOptions): Connections {
  const [one, ...others] = serversOf(address);
  const several = others.length > 0;
  const where = whereabouts(address, (taken) => {
    for (const [server, { cut }] of pools) if (server !== taken) cut();
  });
  const names = preparedNames(options.prepared ?? false);
  const poolAt = (server: string) => poolOf(server, { ...options, names }, several ? where : null);
  const first = poolAt(one);
  const pools = new Map([[one, first], ...others.map((server) => [server, poolAt(server)] as const)]);

  async function connectNow(): Promise<PoolClient> {
    const server = await where.find();
    try {
      return await (pools.get(server) ?? first).pool.connect();
    } catch (error) {
      where.doubt(server);
      throw error;
    }
  }
  // What was known is found to be old by the first try: the second one looks anew.
  const connect = several ? () => connectNow().catch(connectNow) : connectNow;
  return {
    where,
    names,
    options: first.pool.options,
    connect,
    async query(text, values) {
      const client = await connect();
      const answer = await client.query(text, values).catch((error: unknown) => {
        client.release(true);
        throw error;
      });
      client.release();
      return answer;
    },
    end: async () => void (await Promise.all([...pools.values()].map(({ pool }) => pool.end()))),
  };
}

type ServerPool = {
  pool: Pool;
  /** Ends every connection at once: nobody waits any longer for what was asked there. */
  cut(): void;
};

function poolOf(
  connectionString: string,
  options: PoolOptions & { names: Names },
  where: Whereabouts | null,
): ServerPool {
  const open = new Set<PoolClient>();
  const onError = (error: Error) => {
    where?.doubt(connectionString);
    options.onConnectionError(error);
  };
  const pool = new Pool({
    Client: clientWith(options.names),
    connectionString,
    ...(where !== null && { verify: (client, done) => void verify(client, done) }),
    max: options.size,
    connectionTimeoutMillis: 3_000,
    statement_timeout: options.statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    // Questions that are asked together wait for no answer of each other. Each ends in a sync of its own, so that one that fails leaves the others their answers.
    pipeline: true,
    application_name: 'sorpresa',
    types: { getTypeParser },
  });
  // A connection that dies between two queries, idle or lent, would take the process with it if nobody listened.
  pool.on('error', onError);
  pool.on('connect', (client) => {
    open.add(client);
    client.on('error', onError);
  });
  pool.on('remove', (client) => void open.delete(client));
  return {
    pool,
    cut: () => {
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

/**
 * A connection on which what is asked in one turn leaves in one write. By itself `pg` writes for each question, and a write costs more than the
 * question: the system's call, and the server's process woken for it. What has a name is prepared under it; where the name is refused the same is
 * asked once more, which inside a transaction is in vain: there the door runs the work again.
 */
function clientWith(names: Names) {
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

/** It may have become a standby since it was found. */
async function verify(client: PoolClient, done: (error?: Error) => void): Promise<void> {
  done(await whyNot(client));
}

async function whyNot(client: PoolClient): Promise<Error | undefined> {
  try {
    return (await takesWrites(client))
      ? undefined
      : new DatabaseUnavailable('The server takes no writes any more');
  } catch (error) {
    return new DatabaseUnavailable('The server did not say whether it takes writes', { cause: error });
  }
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
        assertOutsideWork();
        return pool.connect();
      },
    },
  });
}
