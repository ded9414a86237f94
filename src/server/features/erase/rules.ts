import { ERASE_PARTS, type ErasePart, type Keep } from '../../../contract/admin/archive.ts';
import type { DATA_DIR_RULES, TABLE_RULES } from '../archive/rules.ts';

/** `erased`: always. `stays`: holds nothing of the evening. A part's name: erased unless the administrator retains that part. */
type Rule = 'erased' | 'stays' | ErasePart;

/** Every table of the archive's list needs a rule here, too; tests/contracts/archive.test.ts checks that list. */
const TABLES: Record<keyof typeof TABLE_RULES, Rule> = {
  kysely_migration: 'stays',
  kysely_migration_lock: 'stays',
  user: 'account',
  account: 'account',
  session: 'account',
  verification: 'account',
  // No code, address or name; expires within hours. Wrong passwords still count.
  rate_limits: 'stays',
  admin_config: 'configuration',
  checkbox_questions: 'configuration',
  media: 'erased',
  media_orphans: 'erased',
  // Random names that expire within seconds.
  upload_leases: 'stays',
  videos: 'erased',
  biglietti: 'erased',
  immagini_destinazione: 'erased',
  tokens: 'codes',
  visit_snapshots: 'erased',
  active_sessions: 'erased',
  checkbox_responses: 'erased',
  keepsakes: 'erased',
  plans_b: 'erased',
  plan_b_passes: 'erased',
  bin: 'erased',
  event_logs: 'erased',
  access_logs: 'erased',
  refused_tries_by_day: 'erased',
  visits_by_day: 'erased',
  // Unsent notifications would reveal the evening.
  notifications: 'erased',
  // The number of the last pass, so that no earlier one becomes valid again. Erasing revokes it.
  rehearsal_pass: 'stays',
  diagnosis_passes: 'erased',
  diagnoses: 'erased',
  rehearsals_seen: 'erased',
  ready_tries: 'erased',
  // Random numbers and a fingerprint of secrets.
  install_identity: 'stays',
  // The row is created again, empty.
  ready_watch: 'erased',
};

/** Rule of each entry of `DATA_DIR`; `rows`: its tables have their own rules. */
export const ERASED_IN_DATA_DIR: Record<keyof typeof DATA_DIR_RULES, 'erased' | 'stays' | 'rows'> = {
  'sorpresa.db': 'rows',
  'sorpresa.db-wal': 'rows',
  'sorpresa.db-shm': 'stays',
  'sorpresa.lock': 'stays',
  'sorpresa.lock-journal': 'stays',
  'sorpresa.pid': 'stays',
  media: 'erased',
  uploads: 'erased',
  // Keys whose encrypted content is erased.
  'secret-auth': 'stays',
  'secret-encryption': 'stays',
  https: 'stays',
  'demo.json': 'stays',
  // A copy is removed as soon as its reader ends.
  lent: 'stays',
  compiled: 'stays',
  web: 'stays',
  reserve: 'stays',
  restoring: 'stays',
  unpacking: 'stays',
  // Stated on the page: needed to undo an upgrade; the administrator can delete them.
  backups: 'stays',
};

/** Returns the tables to empty, ordered so that referenced rows are written first. */
export function erasedTables(keep: Keep): string[] {
  const erasedRules = new Set<Rule>(['erased', ...ERASE_PARTS.filter((part) => !keep[part])]);
  return Object.entries(TABLES).flatMap(([table, rule]) => (erasedRules.has(rule) ? table : []));
}
