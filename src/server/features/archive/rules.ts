import type { SecretName } from '../../auth/secrets.ts';
import type { Tables } from '../../db/tables.ts';

/**
 * `kept`: included in the archive. `left`: not included, because it is created again or means nothing elsewhere or
 * later.
 * tests/contracts/archive.test.ts fails until every new table and file has a rule.
 */
type Rule = 'kept' | 'left';

/** Tables of better-auth and Kysely. */
type OtherTable =
  | 'user'
  | 'account'
  | 'session'
  | 'verification'
  | 'kysely_migration'
  | 'kysely_migration_lock';

/** All tables, ordered so that referenced rows are written first. */
export const TABLE_RULES: Record<keyof Tables | OtherTable, Rule> = {
  // Replaced by the manifest's `schema` and the migrations.
  kysely_migration: 'left',
  kysely_migration_lock: 'left',
  user: 'kept',
  account: 'kept',
  // Sessions stay signed in.
  session: 'kept',
  verification: 'kept',
  // Counts of minutes are outdated after a restore.
  rate_limits: 'left',
  admin_config: 'kept',
  checkbox_questions: 'kept',
  media: 'kept',
  // Work in progress on local files, and stray files.
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
  // Its encrypted file is in the archive, too.
  plans_b: 'kept',
  plan_b_passes: 'kept',
  // Deleted content is not moved, and neither are files that only the bin holds.
  bin: 'left',
  event_logs: 'kept',
  access_logs: 'kept',
  refused_tries_by_day: 'kept',
  visits_by_day: 'kept',
  // Unsent notifications are sent after the restore, possibly twice.
  notifications: 'kept',
  rehearsal_pass: 'kept',
  diagnosis_passes: 'kept',
  diagnoses: 'kept',
  rehearsals_seen: 'kept',
  // The new place, disk and address must be probed again.
  ready_tries: 'left',
  // A restored install gets a new identity.
  install_identity: 'left',
  ready_watch: 'left',
};

/** Columns encrypted with the install's secret. An install that retains its own secret encrypts them again. */
export const SEALED_COLUMNS = {
  admin_config: ['telegram_bot_token', 'smtp_password'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

/** Archived tables, in the order of `TABLE_RULES`. */
export const ARCHIVED_TABLES: readonly string[] = Object.entries(TABLE_RULES)
  .filter(([, rule]) => rule === 'kept')
  .map(([table]) => table);

/** Everything that `DATA_DIR` may contain. */
export const DATA_DIR_RULES = {
  // Archived as rows.
  'sorpresa.db': 'kept',
  'sorpresa.db-wal': 'kept',
  'sorpresa.db-shm': 'left',
  'sorpresa.lock': 'left',
  'sorpresa.lock-journal': 'left',
  'sorpresa.pid': 'left',
  media: 'kept',
  // Unfinished uploads; the browser starts again.
  uploads: 'left',
  'secret-auth': 'kept',
  'secret-encryption': 'kept',
  // Certificate, its key and the ACME account: created again under the new name.
  https: 'left',
  // Marks the demo; a restored demo is an ordinary surprise.
  'demo.json': 'left',
  // Temporary copies of bucket files for programs that need a path.
  lent: 'left',
  // Node's compile cache.
  compiled: 'left',
  // Scripts and styles of builds that open pages still use.
  web: 'left',
  // Reserved disk space without content.
  reserve: 'left',
  restoring: 'left',
  // Temporary install of a restore over the web.
  unpacking: 'left',
  // Archives written before upgrades.
  backups: 'left',
} satisfies Record<`secret-${SecretName}`, Rule> & Record<string, Rule>;
