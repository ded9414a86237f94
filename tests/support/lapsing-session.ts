import { sql } from 'kysely';
import type { TestServer } from './server.ts';

/** A session that has been lived in; it is stored anew for each question, since the server removes what it finds too old. */
export type Lapsing = {
  /** Stores it with other times, and gives its cookie. */
  with(times: Partial<Record<'createdAt' | 'updatedAt' | 'expiresAt', string>>): Promise<string>;
};

const DAY = 24 * 3_600_000;

export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString();

export async function lapsingSession(
  { deps: { db } }: Pick<TestServer, 'deps'>,
  cookie: string,
): Promise<Lapsing> {
  const token = /session_token=([^.;]+)\./.exec(cookie)?.[1];
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from "session" where "token" = ${token}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('No session has this cookie');
  return {
    async with(times) {
      const values = Object.entries({ ...row, ...times });
      await sql`delete from "session" where "token" = ${token}`.execute(db);
      await sql`insert into "session" (${sql.join(values.map(([name]) => sql.ref(name)))})
        values (${sql.join(values.map(([, value]) => value))})`.execute(db);
      return cookie;
    },
  };
}
