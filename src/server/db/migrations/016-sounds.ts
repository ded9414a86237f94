import type { Kysely } from 'kysely';

/** The sounds that a film may be given, which of them it has, and how long a file is in seconds. What came before tells neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('sounds', 'text').execute();
  await db.schema.alterTable('media').addColumn('sound', 'integer').execute();
  await db.schema.alterTable('media').addColumn('seconds', 'double precision').execute();
}
