import { ERASE_PARTS, type ErasePart, type Keep } from '../../../domain/erasing.ts';
import type { DATA_DIR_RULES, TABLE_RULES } from '../archive/rules.ts';

/** `erased` whatever is chosen; `stays`: there is nothing of the evening in it; a part's name: it goes unless that part is kept. */
type Rule = 'erased' | 'stays' | ErasePart;

/** Every table of the archive's list, so that whoever adds one decides here, too (tests/contracts/archive.test.ts holds that list). */
const TABLES: Record<keyof typeof TABLE_RULES, Rule> = {
  kysely_migration: 'stays',
  kysely_migration_lock: 'stays',
  user: 'account',
  account: 'account',
  session: 'account',
  verification: 'account',
  // Without a code, an address or a name, and over within minutes or hours; wrong passwords count on.
  rate_limits: 'stays',
  admin_config: 'configuration',
  checkbox_questions: 'configuration',
  media: 'erased',
  media_orphans: 'erased',
  // Random names, over within seconds.
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
  // What wasn't sent by then is sent no more: it would tell of the evening.
  notifications: 'erased',
  // The number of the last pass, so that none before it is good again; it is closed.
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

/** What becomes of what lies in `DATA_DIR`; `rows`: of what is in it. */
export const ERASED_IN_DATA_DIR: Record<keyof typeof DATA_DIR_RULES, 'erased' | 'stays' | 'rows'> = {
  'sorpresa.db': 'rows',
  'sorpresa.db-wal': 'rows',
  'sorpresa.db-shm': 'stays',
  'sorpresa.lock': 'stays',
  'sorpresa.lock-journal': 'stays',
  'sorpresa.pid': 'stays',
  media: 'erased',
  uploads: 'erased',
  // Keys, and nothing that they lock is left.
  'secret-auth': 'stays',
  'secret-encryption': 'stays',
  https: 'stays',
  'demo.json': 'stays',
  // A copy goes as soon as the program that reads it has read it.
  lent: 'stays',
  compiled: 'stays',
  web: 'stays',
  reserve: 'stays',
  restoring: 'stays',
  unpacking: 'stays',
  // Said on the page: they are the way back from an upgrade, and whoever wants them gone removes them.
  backups: 'stays',
};

/** The tables that are emptied, in an order in which rows can be written. */
export function erasedTables(keep: Keep): string[] {
  const gone = new Set<Rule>(['erased', ...ERASE_PARTS.filter((part) => !keep[part])]);
  return Object.entries(TABLES).flatMap(([table, rule]) => (gone.has(rule) ? table : []));
}
