import { getMigrations } from 'better-auth/db/migration';
import { type Kysely, SqliteAdapter } from 'kysely';
import { signInSchema } from '../../auth/sign-in-schema.ts';

/**
 * better-auth's own tables: `user`, `session`, `account`, `verification`, `rateLimit`. It adds what is missing and nothing else, so a later
 * version of it only needs a further step that calls this again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const type = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  // biome-ignore lint/suspicious/noExplicitAny: better-auth's own type for a database of any tables
  const { runMigrations } = await getMigrations({
    ...signInSchema,
    database: { db: db as Kysely<any>, type },
    // Asked for, though the tables don't depend on them.
    baseURL: 'http://localhost',
    secret: 'no-secret-is-needed-while-tables-are-made',
  });
  await runMigrations();
}
