import { z } from 'zod';
import { ERASE_PARTS, type ErasePart, type Keep } from '../../../contract/admin/archive.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { SecretName } from '../../auth/secrets.ts';
import type { Tables } from '../../db/tables.ts';

/**
 * What becomes of a table or of an entry of `DATA_DIR`. `kept`: included in the archive. `left`: not included, because it
 * is created again or means nothing elsewhere or later. `erased`: always erased with the evening. `stays`: holds nothing
 * of it. A part's name: erased unless the administrator retains that part.
 * tests/contracts/archive.test.ts fails until every new table and file has a rule.
 */
type Rule = { archive: 'kept' | 'left'; erase: 'erased' | 'stays' | ErasePart };

/** Tables of better-auth and Kysely. */
type OtherTable =
  | 'user'
  | 'account'
  | 'session'
  | 'verification'
  | 'kysely_migration'
  | 'kysely_migration_lock';

/** All tables, ordered so that referenced rows are written first. */
export const TABLES: Record<keyof Tables | OtherTable, Rule> = {
  // Replaced by the manifest's `schema` and the migrations.
  kysely_migration: { archive: 'left', erase: 'stays' },
  kysely_migration_lock: { archive: 'left', erase: 'stays' },
  user: { archive: 'kept', erase: 'account' },
  account: { archive: 'kept', erase: 'account' },
  // Sessions stay signed in.
  session: { archive: 'kept', erase: 'account' },
  verification: { archive: 'kept', erase: 'account' },
  // Counts of minutes are outdated after a restore. No code, address or name; expires within hours. Wrong passwords still
  // count.
  rate_limits: { archive: 'left', erase: 'stays' },
  admin_config: { archive: 'kept', erase: 'configuration' },
  checkbox_questions: { archive: 'kept', erase: 'configuration' },
  media: { archive: 'kept', erase: 'erased' },
  // Work in progress on local files, and stray files.
  media_orphans: { archive: 'left', erase: 'erased' },
  // Random names that expire within seconds.
  upload_leases: { archive: 'left', erase: 'stays' },
  videos: { archive: 'kept', erase: 'erased' },
  biglietti: { archive: 'kept', erase: 'erased' },
  immagini_destinazione: { archive: 'kept', erase: 'erased' },
  tokens: { archive: 'kept', erase: 'codes' },
  visit_snapshots: { archive: 'kept', erase: 'erased' },
  active_sessions: { archive: 'kept', erase: 'erased' },
  checkbox_responses: { archive: 'kept', erase: 'erased' },
  keepsakes: { archive: 'kept', erase: 'erased' },
  // Its encrypted file is in the archive, too.
  plans_b: { archive: 'kept', erase: 'erased' },
  plan_b_passes: { archive: 'kept', erase: 'erased' },
  // Deleted content is not moved, and neither are files that only the bin holds.
  bin: { archive: 'left', erase: 'erased' },
  event_logs: { archive: 'kept', erase: 'erased' },
  access_logs: { archive: 'kept', erase: 'erased' },
  refused_tries_by_day: { archive: 'kept', erase: 'erased' },
  visits_by_day: { archive: 'kept', erase: 'erased' },
  // Unsent notifications are sent after the restore, possibly twice. They would reveal the evening.
  notifications: { archive: 'kept', erase: 'erased' },
  // The number of the last pass, so that no earlier one becomes valid again. Erasing revokes it.
  rehearsal_pass: { archive: 'kept', erase: 'stays' },
  diagnosis_passes: { archive: 'kept', erase: 'erased' },
  diagnoses: { archive: 'kept', erase: 'erased' },
  rehearsals_seen: { archive: 'kept', erase: 'erased' },
  // The new place, disk and address must be probed again.
  ready_tries: { archive: 'left', erase: 'erased' },
  // Random numbers and a fingerprint of secrets. A restored install gets a new identity.
  install_identity: { archive: 'left', erase: 'stays' },
  // The row is created again, empty.
  ready_watch: { archive: 'left', erase: 'erased' },
};

/** Archived tables, in the order of `TABLES`. */
export const ARCHIVED_TABLES: readonly string[] = tablesWhere(({ archive }) => archive === 'kept');

/** Returns the tables to empty, ordered so that referenced rows are written first. */
export const erasedTables = (keep: Keep): string[] =>
  tablesWhere(({ erase }) => erase === 'erased' || ERASE_PARTS.some((part) => part === erase && !keep[part]));

function tablesWhere(matches: (rule: Rule) => boolean): string[] {
  return Object.entries(TABLES).flatMap(([table, rule]) => (matches(rule) ? table : []));
}

/** Columns encrypted with the install's secret. An install that retains its own secret encrypts them again. */
export const SEALED_COLUMNS = {
  admin_config: ['telegram_bot_token', 'smtp_password'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

/** Everything that `DATA_DIR` may contain. `rows`: its tables have their own rules. */
export const DATA_DIR_RULES = {
  // Archived as rows.
  'sorpresa.db': { archive: 'kept', erase: 'rows' },
  'sorpresa.db-wal': { archive: 'kept', erase: 'rows' },
  'sorpresa.db-shm': { archive: 'left', erase: 'stays' },
  'sorpresa.lock': { archive: 'left', erase: 'stays' },
  'sorpresa.lock-journal': { archive: 'left', erase: 'stays' },
  'sorpresa.pid': { archive: 'left', erase: 'stays' },
  media: { archive: 'kept', erase: 'erased' },
  // Unfinished uploads; the browser starts again.
  uploads: { archive: 'left', erase: 'erased' },
  // Keys whose encrypted content is erased.
  'secret-auth': { archive: 'kept', erase: 'stays' },
  'secret-encryption': { archive: 'kept', erase: 'stays' },
  // Certificate, its key and the ACME account: created again under the new name.
  https: { archive: 'left', erase: 'stays' },
  // Marks the demo; a restored demo is an ordinary surprise.
  'demo.json': { archive: 'left', erase: 'stays' },
  // Temporary copies of bucket files for programs that need a path; removed as soon as their reader ends.
  lent: { archive: 'left', erase: 'stays' },
  // Node's compile cache.
  compiled: { archive: 'left', erase: 'stays' },
  // Scripts and styles of builds that open pages still use.
  web: { archive: 'left', erase: 'stays' },
  // Reserved disk space without content.
  reserve: { archive: 'left', erase: 'stays' },
  restoring: { archive: 'left', erase: 'stays' },
  // Temporary install of a restore over the web.
  unpacking: { archive: 'left', erase: 'stays' },
  // Archives written before upgrades, needed to undo one. The page says that they stay; the administrator can delete them.
  backups: { archive: 'left', erase: 'stays' },
} satisfies Record<`secret-${SecretName}`, Rule> &
  Record<string, { archive: Rule['archive']; erase: Rule['erase'] | 'rows' }>;

/** Format that this version writes, and the newest that it reads. */
export const FORMAT = 1;
/** Last entry of the archive; read first. */
export const MANIFEST = 'manifest.json';

/** Contents of the manifest. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Last migration applied to the rows. */
  schema: z.string(),
  /** Version of the product that wrote the archive, for display only. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** Rows per table and number of files. */
  counts: z.strictObject({ tables: z.record(z.string(), z.int().min(0)), media: z.int().min(0) }),
  /** Size and hash of every other entry, by name. */
  entries: z.record(
    z.string(),
    z.strictObject({ size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
  /** Names of files that had a row but no bytes when the archive was written. */
  missing: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Code of a rejected archive: no archive, altered, written by a newer version, encrypted but no passphrase sent, or the wrong one. */
type ArchiveFault = Extract<
  ErrorCode,
  'ARCHIVE_FOREIGN' | 'ARCHIVE_DAMAGED' | 'ARCHIVE_NEWER' | 'ARCHIVE_LOCKED' | 'PASSPHRASE_WRONG'
>;

/** Stops the unpacking, where a stream must be torn down. */
export class ArchiveRejected extends Error {
  override name = 'ArchiveRejected';
  readonly reason: ArchiveFault;
  constructor(reason: ArchiveFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
