import { getMigrations } from 'better-auth/db/migration';
import { type Kysely, SqliteAdapter } from 'kysely';
import { signInSchema } from '../../auth/sign-in-schema.ts';

/**
 * better-auth's own tables: `user`, `session`, `account`, `verification`, `rateLimit`. It adds what is missing and nothing else, so a later
 * version of it only needs a further step that calls this again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const type = db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
  const { runMigrations } = await getMigrations({
    ...signInSchema,
    database: { db: db as never, type },
    // Asked for, though the tables don't depend on them.
    baseURL: 'http://localhost',
    secret: 'no-secret-is-needed-while-tables-are-made',
  });
  await runMigrations();
}
