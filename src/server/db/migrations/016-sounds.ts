import type { Kysely } from 'kysely';

/** Adds the audio tracks that a film may use, the one it uses, and the duration of a file in seconds; null for earlier files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('sounds', 'text').execute();
  await db.schema.alterTable('media').addColumn('sound', 'integer').execute();
  await db.schema.alterTable('media').addColumn('seconds', 'double precision').execute();
}
