import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** Visits rewritten per statement. */
const PAGE = 500;

/** Stores each snapshot once under its SHA-256 hash, instead of in the row of every visit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visit_snapshots')
    .addColumn('hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute();
  await db.schema.alterTable('active_sessions').renameColumn('snapshot', 'snapshot_hash').execute();
  let last: string | undefined = '';
  while (last !== undefined) last = await rewritePage(db, last);
}

type Visit = { id: string; snapshot_hash: string };

/** Rewrites the visits after this id. Returns the id of the last one; undefined if there are none. */
async function rewritePage(db: Kysely<unknown>, after: string): Promise<string | undefined> {
  const { rows } = await sql<Visit>`
    select id, snapshot_hash from active_sessions where id > ${after} order by id limit ${sql.lit(PAGE)}`.execute(
    db,
  );
  const byBody = Map.groupBy(rows, ({ snapshot_hash: body }) => body);
  for (const [body, visits] of byBody) {
    const hash = createHash('sha256').update(body).digest('hex');
    await sql`insert into visit_snapshots (hash, body) values (${hash}, ${body}) on conflict do nothing`.execute(
      db,
    );
    const ids = visits.map(({ id }) => id);
    await sql`update active_sessions set snapshot_hash = ${hash} where id in (${sql.join(ids)})`.execute(db);
  }
  return rows.at(-1)?.id;
}
