import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Creates the tables of the specification's section 3 with the product's additions. Keys are declared not null, because in SQLite a primary
 * key alone doesn't imply it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createConfiguration(db);
  await createAccess(db);
  await createAnswers(db);
  await createLogs(db);
  await createMedia(db);
  await createQueues(db);
}

async function createConfiguration(db: Kysely<unknown>) {
  await db.schema
    .createTable('admin_config')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('video_url', 'text')
    .addColumn('video_playback_rate', 'double precision', (c) => c.notNull().defaultTo(1))
    .addColumn('video_button_text', 'text')
    .addColumn('frasi', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('frasi_pre_video', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('frasi_finali', 'text')
    .addColumn('frasi_secondo_viaggio', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('frasi_tra_viaggi', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('frasi_finali_secondo_viaggio', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('durata_frase_secondi', 'double precision', (c) => c.notNull().defaultTo(6))
    .addColumn('canzone_url', 'text')
    .addColumn('immagine_destinazione_url', 'text')
    .addColumn('immagine_destinazione_url_2', 'text')
    .addColumn('biglietti_url', 'text')
    .addColumn('biglietti_url_2', 'text')
    .addColumn('data_partenza', 'text')
    .addColumn('data_ritorno', 'text')
    .addColumn('data_partenza_2', 'text')
    .addColumn('data_ritorno_2', 'text')
    .addColumn('titolo_destinazione', 'text')
    .addColumn('titolo_destinazione_2', 'text')
    .addColumn('titolo_viaggio', 'text')
    .addColumn('titolo_viaggio_2', 'text')
    .addColumn('durata_immagine_destinazione_secondi', 'double precision', (c) => c.notNull().defaultTo(5))
    .addColumn('testo_istruzioni_biglietti', 'text')
    .addColumn('testo_istruzioni_biglietti_2', 'text')
    .addColumn('telegram_bot_token', 'text')
    .addColumn('telegram_chat_id', 'text')
    .addColumn('contatto', 'text')
    .addColumn('data_laurea', 'text')
    .addColumn('versione', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('checkbox_questions')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('domanda_1', 'text')
    .addColumn('domanda_2', 'text')
    .addColumn('domanda_1_viaggio_2', 'text')
    .addColumn('domanda_2_viaggio_2', 'text')
    .execute();
}

async function createAccess(db: Kysely<unknown>) {
  await db.schema
    .createTable('tokens')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('normalized', 'text', (c) => c.notNull().unique())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('max_accessi', 'integer', (c) => c.notNull().check(sql`max_accessi >= 1`))
    .addColumn('accessi_usati', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('scadenza', 'text')
    .addColumn('attivo', 'boolean', (c) => c.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addCheckConstraint('tokens_uses_within_limit', sql`accessi_usati >= 0 and accessi_usati <= max_accessi`)
    .execute();
  await db.schema
    .createTable('active_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('token_id', 'text', (c) => c.notNull())
    .addColumn('token_value', 'text', (c) => c.notNull())
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('is_active', 'boolean', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('last_activity', 'text', (c) => c.notNull())
    .addColumn('disconnected_at', 'text')
    .addColumn('disconnection_reason', 'text')
    .addColumn('cookie_hash', 'text', (c) => c.notNull().unique())
    .addColumn('attempt_id', 'text', (c) => c.notNull().unique())
    .addColumn('snapshot', 'text', (c) => c.notNull())
    .addColumn('step', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('phrase', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('second', 'double precision', (c) => c.notNull().defaultTo(0))
    .addColumn('background_at', 'text')
    .addColumn('completed_at', 'text')
    .addColumn('exit_point', 'text')
    .addColumn('exit_seq', 'bigint', (c) => c.notNull().defaultTo(-1))
    .addColumn('reported_errors', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('active_sessions_token')
    .on('active_sessions')
    .columns(['token_id', 'device_id'])
    .execute();
  await db.schema
    .createIndex('active_sessions_active')
    .on('active_sessions')
    .columns(['is_active', 'last_activity'])
    .execute();
  await db.schema.createIndex('active_sessions_started').on('active_sessions').column('started_at').execute();
}

async function createAnswers(db: Kysely<unknown>) {
  await db.schema
    .createTable('checkbox_responses')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('viaggio', 'integer', (c) => c.notNull().check(sql`viaggio in (1, 2)`))
    .addColumn('token_value', 'text', (c) => c.notNull())
    .addColumn('risposta_1', 'boolean', (c) => c.notNull())
    .addColumn('risposta_2', 'boolean', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('checkbox_responses_once', ['session_id', 'viaggio'])
    .execute();
}

async function createLogs(db: Kysely<unknown>) {
  await db.schema
    .createTable('event_logs')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('event_type', 'text', (c) => c.notNull())
    .addColumn('token_id', 'text')
    .addColumn('token_value', 'text')
    .addColumn('device_id', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('success', 'boolean', (c) => c.notNull())
    .addColumn('error_message', 'text')
    .addColumn('metadata', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('event_logs_created').on('event_logs').columns(['created_at']).execute();
  await db.schema
    .createIndex('event_logs_type')
    .on('event_logs')
    .columns(['event_type', 'created_at'])
    .execute();
  await db.schema
    .createTable('access_logs')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('token_id', 'text')
    .addColumn('token_value', 'text')
    .addColumn('success', 'boolean', (c) => c.notNull())
    .addColumn('error_message', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('access_logs_created').on('access_logs').columns(['created_at']).execute();
}

async function createMedia(db: Kysely<unknown>) {
  await db.schema
    .createTable('media')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('extension', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'text')
    .execute();
  await db.schema
    .createTable('videos')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('poster_url', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('biglietti')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('tipo', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('immagini_destinazione')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('nome', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('tipo', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
}

async function createQueues(db: Kysely<unknown>) {
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('priority', 'integer', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'text', (c) => c.notNull())
    .addColumn('claim', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('notifications_due')
    .on('notifications')
    .columns(['sent_at', 'next_attempt_at'])
    .execute();
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('points', 'integer', (c) => c.notNull())
    .addColumn('resets_at', 'text', (c) => c.notNull())
    .execute();
}
