import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { serversOf } from './addresses.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** How long a server may take to say whether it takes writes, in ms. */
const PATIENCE = 1_500;
/** Where the database is now. */
export type Whereabouts = {
  /** The address of the server that takes writes. Rejects with what is in the way when there is none. */
  find(): Promise<string>;
  /** A connection to this server failed, or to any: the next `find` looks again. */
  doubt(address?: string): void;
};

/**
 * Finds of several servers the one that takes writes, and keeps to it until it is doubted. A single one isn't asked anything: what stands
 * there (a server, a proxy that follows the leader) knows better. Of two that take writes, as after a promotion an old primary does that
 * nobody keeps from starting, the one that was promoted last is taken; one that was left behind isn't taken any more, even alone: what is
 * written there would be lost.
 * @param moved told of the server that is taken, when it isn't the one before
 */
export function whereabouts(address: string, moved: (address: string) => void = () => {}): Whereabouts {
  const servers = serversOf(address);
  if (servers.length === 1) return { find: () => Promise.resolve(address), doubt: () => {} };
  let known: string | null = null;
  let before: string | null = null;
  let timeline = 0;
  let looking: Promise<string> | null = null;

  const look = async () => {
    const found = bestOf(await Promise.allSettled(servers.map(ask)), timeline);
    ({ timeline } = found);
    known = found.address;
    if (before !== null && before !== known) moved(known);
    before = known;
    return known;
  };
  return {
    async find() {
      if (known !== null) return known;
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
    doubt(which) {
      if (which === undefined || which === known) known = null;
    },
  };
}

/** What a server says of itself. `timeline` grows with every promotion; null where it takes no writes. */
type Said = { address: string; timeline: number | null };

function bestOf(answers: PromiseSettledResult<Said>[], least: number): Said & { timeline: number } {
  const said = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  if (said.length === 0) throw failed;
  const [best] = said
    .flatMap(({ address, timeline }) => (timeline === null ? [] : [{ address, timeline }]))
    .toSorted((a, b) => b.timeline - a.timeline);
  if (best !== undefined && best.timeline >= least) return best;
  const why =
    best === undefined
      ? 'None of the servers in DATABASE_URL that answer takes writes'
      : 'The only server in DATABASE_URL that takes writes was left behind by a promotion: what is written there would be lost';
  throw new DatabaseUnavailable(why, { cause: failed });
}

async function ask(address: string): Promise<Said> {
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    application_name: 'sorpresa-look',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { address, timeline: (await takesWrites(client)) ? await timelineOf(client) : null };
  } finally {
    await hangUp(client);
  }
}

/** In a standby every transaction is read-only. */
export async function takesWrites(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  return rows[0]?.transaction_read_only === 'off';
}

/** By the name of the file it writes to now. 0 where a server doesn't tell (some that are only like PostgreSQL). */
async function timelineOf(client: Client): Promise<number> {
  const asked = client.query<{ file: string }>('select pg_walfile_name(pg_current_wal_lsn()) as file');
  const file = await asked.then(({ rows }) => rows[0]?.file ?? '').catch(() => '');
  return Number.parseInt(file.slice(0, 8), 16) || 0;
}

/** Closes for good, without waiting for the goodbye of a server that may be unreachable. */
export async function hangUp(client: Client): Promise<void> {
  const socket = client.connection.stream;
  await Promise.race([client.end().catch(() => undefined), delay(200, undefined, { ref: false })]);
  socket.destroy();
}
