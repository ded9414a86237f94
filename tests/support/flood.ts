import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import type { TestServer } from './deps.ts';
import { attemptEntry, configure, makeCode } from './visits.ts';

const NETWORKS = 500;
const SECOND = 1_000;
/** Concurrent wrong codes; the clock advances by this many seconds at once. */
const TOGETHER = 20;
/** Interval of a valid code from another network, in seconds. */
const GUEST_EVERY = 60;

/**
 * Interval of a vacuum, in seconds. PostgreSQL's autovacuum follows the real clock, and here a day passes in minutes.
 */
const VACUUM_EVERY = 900;

/** Returns an IPv4 address for even numbers, and for odd ones an IPv6 address of a separate network. */
const networkAt = (n: number) =>
  n % 2 === 0 ? `198.51.${n >> 8}.${n & 255}` : `2001:db8:${n.toString(16)}::1`;

/**
 * Sends one wrong code a second by the server's own clock, from 500 networks in turn, and a valid one a minute from
 * another network. Expects the valid ones to be accepted; returns the number of wrong codes that were checked.
 */
export async function flood(server: TestServer, seconds: number): Promise<number> {
  await configure(server);
  const { token } = await makeCode(server, { max_accessi: 10_000, giorni: null });
  let looked = 0;
  for (let second = 0; second < seconds; second += TOGETHER) {
    const wrong = Array.from({ length: TOGETHER }, (_, n) =>
      attemptEntry(server, `ROM-${second}-${n}`, { address: networkAt((second + n) % NETWORKS) }),
    );
    const guest = second % GUEST_EVERY === 0 ? await attemptEntry(server, token) : null;
    if (guest !== null) expect(guest).toHaveProperty('secret');
    const results = await Promise.all(wrong);
    looked += results.filter((result) => 'refused' in result && result.refused === 'CODE_INVALID').length;
    server.clock.advance(TOGETHER * SECOND);
    if (second % GUEST_EVERY === 0) await sweepSessions(server.deps);
    if (second % VACUUM_EVERY === 0 && server.database.kind === 'postgres')
      await sql`vacuum access_logs, event_logs, notifications, rate_limits`.execute(server.deps.db);
  }
  await sweepSessions(server.deps);
  return looked;
}

/** Returns the number of rows that refused attempts occupy, in all tables. */
export async function refusedRows(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select
    (select count(*) from access_logs where success = false) +
    (select count(*) from event_logs where event_type = 'access_denied') +
    (select count(*) from notifications where priority >= 2) +
    (select count(*) from rate_limits) as n`.execute(db);
  return Number(rows[0]?.n);
}

/** Returns the bytes of the tables of refused attempts with their indexes; on SQLite, of the complete file. */
export async function tableBytes({ db, kind }: Pick<Database, 'db' | 'kind'>): Promise<number> {
  const size =
    kind === 'sqlite'
      ? sql<{ n: number }>`select page_count * page_size as n from pragma_page_count(), pragma_page_size()`
      : sql<{
          n: number;
        }>`select pg_total_relation_size('access_logs') + pg_total_relation_size('event_logs') +
          pg_total_relation_size('notifications') + pg_total_relation_size('rate_limits') as n`;
  return Number((await size.execute(db)).rows[0]?.n);
}
