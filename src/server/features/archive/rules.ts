import type { SecretName } from '../../auth/secrets.ts';
import type { Tables } from '../../db/tables.ts';

/**
 * `kept`: it is in the archive. `left`: it isn't, because it is made anew, or means nothing in another place or at another time.
 * Whoever adds a table or a file has to decide; tests/contracts/archive.test.ts fails until then.
 */
type Rule = 'kept' | 'left';

/** better-auth's tables and Kysely's own, beside ours. */
type OtherTable =
  | 'user'
  | 'account'
  | 'session'
  | 'verification'
  | 'kysely_migration'
  | 'kysely_migration_lock';

/** Every table, in an order in which rows can be written: what is referred to comes before what refers to it. */
export const TABLE_RULES: Record<keyof Tables | OtherTable, Rule> = {
  // Told by the manifest's `schema`, and made by the migrations.
  kysely_migration: 'left',
  kysely_migration_lock: 'left',
  user: 'kept',
  account: 'kept',
  // Whoever is signed in stays so.
  session: 'kept',
  verification: 'kept',
  // What is counted for minutes is over elsewhere and later.
  rate_limits: 'left',
  admin_config: 'kept',
  checkbox_questions: 'kept',
  media: 'kept',
  // What is being done to the files of this place, and what lies there by mistake.
  media_orphans: 'left',
  upload_leases: 'left',
  videos: 'kept',
  biglietti: 'kept',
  immagini_destinazione: 'kept',
  tokens: 'kept',
  visit_snapshots: 'kept',
  active_sessions: 'kept',
  checkbox_responses: 'kept',
  keepsakes: 'kept',
  // Of its file, which is there as well.
  plans_b: 'kept',
  plan_b_passes: 'kept',
  // What somebody has deleted isn't brought elsewhere; nor are the files that stay for it alone.
  bin: 'left',
  event_logs: 'kept',
  access_logs: 'kept',
  refused_tries_by_day: 'kept',
  visits_by_day: 'kept',
  // What had not been sent yet is sent after the restore, maybe for the second time.
  notifications: 'kept',
  rehearsal_pass: 'kept',
  diagnosis_passes: 'kept',
  diagnoses: 'kept',
  rehearsals_seen: 'kept',
  // Another place, another disk and another address are to be tried there.
  ready_tries: 'left',
  // An install elsewhere is another one.
  install_identity: 'left',
  ready_watch: 'left',
};

/** Columns that are encrypted with the install's own secret: an install that keeps its own encrypts them anew. */
export const SEALED_COLUMNS = {
  admin_config: ['telegram_bot_token', 'smtp_password'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

/** The tables of the archive, in that order. */
export const ARCHIVED_TABLES: readonly string[] = Object.entries(TABLE_RULES)
  .filter(([, rule]) => rule === 'kept')
  .map(([table]) => table);

/** Everything that may lie in `DATA_DIR`. */
export const DATA_DIR_RULES = {
  // As rows.
  'sorpresa.db': 'kept',
  'sorpresa.db-wal': 'kept',
  'sorpresa.db-shm': 'left',
  'sorpresa.lock': 'left',
  'sorpresa.lock-journal': 'left',
  'sorpresa.pid': 'left',
  media: 'kept',
  // Unfinished; the browser that is sending them begins again.
  uploads: 'left',
  'secret-auth': 'kept',
  'secret-encryption': 'kept',
  // Certificate, its key and our account at the authority: made anew wherever the name leads.
  https: 'left',
  // The demo's own mark: a restored demo is a surprise like any other.
  'demo.json': 'left',
  // Copies, for as long as a program reads them, of files that are in a bucket.
  lent: 'left',
  // What Node made of the code.
  compiled: 'left',
  // Scripts and styles of builds, kept for open pages.
  web: 'left',
  // Room, and nothing else.
  reserve: 'left',
  restoring: 'left',
  // An archive taken back over the web, as long as it is unpacked.
  unpacking: 'left',
  // Archives themselves, of before an upgrade.
  backups: 'left',
} satisfies Record<`secret-${SecretName}`, Rule> & Record<string, Rule>;
